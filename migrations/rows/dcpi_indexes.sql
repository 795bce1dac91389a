CREATE INDEX sample_profile ON sample(profile);
CREATE INDEX sample_symbol ON sample(symbol);
CREATE INDEX symbol_address ON symbol(image, address);
