-- Upkeep of the feed: when a realm last moved, which version it had on which day, and the key that signs cookies.
alter table "sync_realm" add column "updated" timestamptz not null default now();

-- The version a realm had at a time; tells how far tombstones may be collected.
create table "sync_version_mark" (
  "realmId" text not null,
  "at" timestamptz not null,
  "version" bigint not null,
  primary key ("realmId", "at")
);

create table "sync_secret" (
  "name" text primary key,
  "value" text not null
);
