-- A space of many memories has audiences of its own, so that showing it to others or hiding it changes who is in them and
-- no entry of the feed. "settled" says that all its memories stand there; those of older spaces are moved in pieces.
create table "sync_space_audience" (
  "spaceId" text primary key references "space" ("id") on delete cascade,
  "realmId" text not null,
  "settled" boolean not null
);
create index "sync_space_audience_realm" on "sync_space_audience" ("realmId");
