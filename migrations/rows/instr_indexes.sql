-- Made once the rows are there.
CREATE INDEX counter_function ON counter(function);
CREATE INDEX value_site_function ON value_site(function);
CREATE INDEX value_of_site ON value(site);
CREATE INDEX trace_function_trace ON trace_function(trace);
CREATE INDEX trace_function_name_ref ON trace_function(name_ref);
CREATE INDEX function_name_ref ON function(name_ref);
