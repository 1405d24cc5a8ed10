-- question: how many rows of each interface are there, and how many cannot be what a guard saw?
-- grain:    one row per interface
-- key:      interface
-- reads:    int_lines_counted, audit_row_findings
with

row_counts as (

    select
        interface,
        sum(count_lines)::bigint as rows_accepted

    from int_lines_counted

    group by interface

),

counted as (

    select
        row_counts.interface,
        row_counts.rows_accepted,
        count(*) filter (where finding = 'rows_misshapen') as rows_misshapen,
        count(*) filter (where finding = 'rows_with_free_text') as rows_with_free_text,
        count(*) filter (where finding = 'rows_repeated') as rows_repeated,
        count(*) filter (where finding = 'rows_lost') as rows_lost,
        count(*) filter (where finding = 'clocks_stepped_back') as clocks_stepped_back,
        count(*) filter (where finding = 'boundaries_ahead_of_reading')
            as boundaries_ahead_of_reading,
        count(*) filter (where finding = 'rows_before_any_guard') as rows_before_any_guard,
        count(*) filter (where finding = 'rows_after_as_of') as rows_after_as_of

    from row_counts

    left join audit_row_findings
        on row_counts.interface = audit_row_findings.interface

    group by row_counts.interface, row_counts.rows_accepted

)

select * from counted
