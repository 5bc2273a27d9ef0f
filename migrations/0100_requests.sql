-- What repeated requests wrote, kept in the transaction that wrote it; the salt of each day's visitors; calls counted per day.

-- Who runs the request now; null when nobody does. One JSON text for each write transaction that was committed for it.
alter table "idempotency_key"
  add column "claim" text,
  add column "writes" text[] not null default '{}';

-- All processes hash a day's visitors with the same salt. It is deleted after its day, and the hashes lead nowhere.
create table "visitor_salt" (
  "day" date primary key,
  "salt" text not null
);

create table "call_count" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "day" date not null,
  "requests" integer not null default 0,
  "errors" integer not null default 0,
  "searches" integer not null default 0,
  primary key ("workspaceId", "day")
);
create index "call_count_day" on "call_count" ("day");
