-- Changes of addresses: the new one counts once it is proven, and the old one can take the account back for a while.
create table "email_change" (
  "userId" text primary key references "user" ("id") on delete cascade,
  "email" text not null,
  "requested" timestamptz not null
);
create index "email_change_age" on "email_change" ("requested");

alter table "email_token" drop constraint "email_token_purpose_check";
alter table "email_token" add constraint "email_token_purpose_check"
  check ("purpose" in ('verify', 'reset', 'change', 'restore'));
