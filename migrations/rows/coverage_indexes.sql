CREATE INDEX coverage_region_function ON coverage_region(function);
CREATE INDEX coverage_region_line ON coverage_region(file, line);
CREATE INDEX coverage_condition_decision ON coverage_condition(decision);
