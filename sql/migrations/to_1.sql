-- Before 0.1.0 a warehouse knew neither its files nor a history. Its rows are read again.
drop table if exists raw_audit_lines;
drop table if exists raw_run_parameters;
drop table if exists raw_transcript_events;
drop table if exists raw_transcript_files;
