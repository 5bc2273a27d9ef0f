-- Bookkeeping of the API: counters of guesses, and what repeated requests wrote and were answered.

-- The columns that the rate limiter asks for.
create table "rate_limit" (
  "key" varchar(255) primary key,
  "points" integer not null default 0,
  "expire" bigint
);
create index "rate_limit_expire" on "rate_limit" ("expire");

-- A row is inserted by the transaction of the request's first write. Answers with a secret are encrypted under the
-- request's own key.
create table "idempotency_key" (
  -- A person, or a caller without an account.
  "caller" text not null,
  "route" text not null,
  "key" text not null,
  "requestHash" text not null,
  -- Null while the first request is still running.
  "status" integer,
  "body" text,
  "headers" jsonb,
  -- One JSON text for each write transaction that was committed for the request.
  "writes" text[] not null default '{}',
  "created" timestamptz not null,
  primary key ("caller", "route", "key")
);
create index "idempotency_key_age" on "idempotency_key" ("created");
