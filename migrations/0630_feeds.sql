-- Feeds of other sites that members follow, and the entries that were seen in them.
create table "feed" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null,
  "ownerId" text not null references "user" ("id") on delete cascade,
  -- Not a foreign key: a feed whose space was purged is paused and says so.
  "spaceId" text not null,
  "url" text not null,
  "title" text not null,
  "state" text not null,
  "problem" text,
  -- Of the last answer, so that the site need not send again what is known.
  "etag" text,
  "lastModified" text,
  "checkedAt" timestamptz,
  "nextAt" timestamptz,
  "failingSince" timestamptz,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "id"),
  unique ("workspaceId", "ownerId", "url")
);
create index "feed_due" on "feed" ("nextAt") where "nextAt" is not null;

create table "feed_entry" (
  "workspaceId" text not null,
  "feedId" text not null,
  -- Hash of what the feed calls the entry.
  "key" text not null,
  "seen" timestamptz not null,
  -- False for entries that were there before the feed was followed.
  "saved" boolean not null,
  primary key ("workspaceId", "feedId", "key"),
  foreign key ("workspaceId", "feedId") references "feed" ("workspaceId", "id") on delete cascade
);
