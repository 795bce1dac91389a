CREATE INDEX mip_block_function ON mip_block(function);
CREATE INDEX mip_run_function_function ON mip_run_function(function);
CREATE INDEX mip_function_signature ON mip_function(signature);
