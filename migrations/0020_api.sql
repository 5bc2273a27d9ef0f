-- Bookkeeping of the REST API: counters of guesses, answers kept for repeated requests, and the newsletter.
create table "rate_limit" (
  "key" varchar(255) primary key,
  "points" integer not null default 0,
  "expire" bigint
);
create index "rate_limit_expire" on "rate_limit" ("expire");

create table "idempotency_key" (
  "userId" text not null references "user" ("id") on delete cascade,
  "route" text not null,
  "key" text not null,
  "requestHash" text not null,
  -- Null while the first request is still running.
  "status" integer,
  "body" text,
  "headers" jsonb,
  "created" timestamptz not null,
  primary key ("userId", "route", "key")
);
create index "idempotency_key_age" on "idempotency_key" ("created");

create table "newsletter_signup" (
  "email" text primary key,
  "created" timestamptz not null
);

-- Accounts that asked to be deleted; signing in again before the date takes the wish back.
create table "account_deletion" (
  "userId" text primary key references "user" ("id") on delete cascade,
  "requested" timestamptz not null,
  "purgeAfter" timestamptz not null
);
