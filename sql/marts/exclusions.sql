-- question: which compactions neither passed nor failed, and what shows why?
-- grain:    one row per interface, outcome, detail and evidence
-- key:      interface, outcome, detail, evidence
-- reads:    present_compactions
with

excluded as (

    select
        interface,
        outcome,
        detail,
        evidence,
        count(*) as count_compactions

    from present_compactions

    where not is_eligible

    group by all

)

select * from excluded
