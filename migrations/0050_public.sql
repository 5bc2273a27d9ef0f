-- The public life of spaces and threads: reports, visits by day, copies, and what reports have hidden from lists.
create table "internal_event" (
  "id" text primary key,
  "kind" text not null,
  "resourceId" text not null,
  "reason" text not null,
  "details" text,
  "email" text,
  -- Hash that tells reporters apart for a day; no address is kept.
  "reporter" text not null,
  "created" timestamptz not null,
  "decidedAt" timestamptz,
  "decision" text
);
create index "internal_event_resource" on "internal_event" ("resourceId", "created");

create table "hidden_resource" (
  "resourceId" text primary key,
  "since" timestamptz not null
);

create table "public_visit" (
  "resourceId" text not null,
  "day" date not null,
  "visitor" text not null,
  primary key ("resourceId", "day", "visitor")
);
create index "public_visit_day" on "public_visit" ("day");

create table "space_clone" (
  "sourceId" text not null,
  "spaceId" text primary key references "space" ("id") on delete cascade,
  "created" timestamptz not null
);
create index "space_clone_source" on "space_clone" ("sourceId");

create index "space_public" on "space" ("created" desc) where "visibility" = 'public' and "deletedAt" is null;
