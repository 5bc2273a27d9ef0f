-- Requests for early access can be declined: they wait no more, and are still known, so that asking again changes nothing.
alter table "newsletter_signup" add column "declinedAt" timestamptz;
drop index "newsletter_signup_waiting";
create index "newsletter_signup_waiting" on "newsletter_signup" ("created")
  where "approvedAt" is null and "declinedAt" is null;
