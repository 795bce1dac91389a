CREATE INDEX sample_function_name ON sample_function(name);
CREATE INDEX sample_line_function ON sample_line(function, node);
CREATE INDEX sample_inlined_function ON sample_inlined(function, node);
CREATE INDEX sample_target_callee ON sample_target(callee);
