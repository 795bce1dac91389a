CREATE INDEX mib_frame_mib ON mib_frame(mib);
CREATE INDEX mib_owner ON mib(owner);
