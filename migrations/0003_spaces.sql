-- Spaces, and who may read and write them and threads beyond what their visibility says for all.

-- Devices choose the ids of spaces, memories, threads and messages: these are unique in the whole installation by an index
-- of their own, which answers a taken id with a conflict.
create table "space" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null unique,
  "ownerId" text not null references "user" ("id"),
  "createdBy" text not null references "user" ("id"),
  "lastEditedBy" text not null references "user" ("id"),
  "name" text not null,
  "description" text,
  "color" text not null,
  "slug" text not null,
  "origin" text not null,
  "visibility" text not null,
  -- Whether visitors of the public space read the text of its notes.
  "publishText" boolean not null,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "deletedAt" timestamptz,
  primary key ("workspaceId", "id"),
  unique ("workspaceId", "slug")
);
create index "space_public" on "space" ("created" desc) where "visibility" = 'public' and "deletedAt" is null;

-- Which public space a space was copied from.
create table "space_clone" (
  "workspaceId" text not null,
  "spaceId" text not null,
  "sourceId" text not null,
  "created" timestamptz not null,
  primary key ("workspaceId", "spaceId"),
  foreign key ("workspaceId", "spaceId") references "space" ("workspaceId", "id") on delete cascade
);
create index "space_clone_source" on "space_clone" ("sourceId");

-- What a space or thread lets a person, an address or a position do with it.
create table "grant" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "resourceId" text not null,
  "holder" text not null,
  "userId" text,
  "level" text not null check ("level" in ('read', 'write')),
  "createdBy" text not null,
  "created" timestamptz not null,
  primary key ("workspaceId", "resourceId", "holder")
);
create index "grant_user" on "grant" ("workspaceId", "userId");
create index "grant_account" on "grant" ("userId") where "userId" is not null;
create index "grant_unbound" on "grant" ("holder") where "userId" is null and "holder" like '%@%';

-- When a mail about a shared space or thread went to an address last, so that granting again and again sends none.
create table "grant_mail" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "resourceId" text not null,
  "email" text not null,
  "sentBy" text not null,
  "sent" timestamptz not null,
  primary key ("workspaceId", "resourceId", "email")
);
create index "grant_mail_sender" on "grant_mail" ("workspaceId", "sentBy", "sent");
