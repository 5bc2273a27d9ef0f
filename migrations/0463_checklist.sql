-- When a person closed the list of first steps. Accounts that exist already have found their way.
alter table "user" add column "checklistClosedAt" timestamptz;
update "user" set "checklistClosedAt" = now();
