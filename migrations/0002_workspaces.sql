-- Workspaces, their members and invitations. Keys of what a workspace holds begin with it, here and in the files that
-- follow, so that its rows can live together on one server of many.

create table "workspace" (
  "id" text primary key,
  "ownerId" text not null references "user" ("id"),
  "createdBy" text not null references "user" ("id"),
  "lastEditedBy" text not null references "user" ("id"),
  "slug" text not null unique,
  "domain" text,
  "name" text not null,
  "description" text,
  "allowPublicSharing" boolean not null default true,
  -- Whether visitors may ask the public spaces.
  "publicChat" boolean not null default false,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "deletedAt" timestamptz
);
create index "workspace_owner" on "workspace" ("ownerId");

create table "workspace_member" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "invitedBy" text references "user" ("id") on delete set null,
  "position" text not null check ("position" in ('owner', 'admin', 'member', 'read-only')),
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "id"),
  unique ("workspaceId", "userId")
);
create index "workspace_member_user" on "workspace_member" ("userId");

-- The secret that proves the address of an invitation stands in the mail alone, here only its hash.
create table "invite" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null,
  "email" text not null,
  "createdBy" text not null references "user" ("id"),
  "acceptedBy" text references "user" ("id"),
  "acceptedAt" timestamptz,
  "position" text not null check ("position" in ('admin', 'member', 'read-only')),
  "status" text not null check ("status" in ('pending', 'accepted', 'expired', 'revoked')),
  "tokenHash" text,
  "expiresAt" timestamptz not null,
  "lastSentAt" timestamptz,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "id")
);
-- An address has one pending invitation into a workspace; a new one revokes the one before.
create unique index "invite_pending" on "invite" ("workspaceId", lower("email")) where "status" = 'pending';
create index "invite_workspace" on "invite" ("workspaceId", "created" desc);
create index "invite_sender" on "invite" ("createdBy", "created");
create index "invite_expiry" on "invite" ("expiresAt") where "status" = 'pending';

-- Earlier slugs of workspaces (scope '') and of spaces (scope = workspace id), for redirects.
create table "slug_redirect" (
  "scope" text not null,
  "slug" text not null,
  "targetId" text not null,
  "until" timestamptz not null,
  primary key ("scope", "slug")
);

-- How one person has arranged the spaces of one workspace: of no interest to anybody else.
create table "sidebar" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "userId" text not null,
  "pinned" text[] not null default '{}',
  "order" text[] not null default '{}',
  "collapsed" text[] not null default '{}',
  -- Lists that the person comes back to: parameters of the address by name.
  "filters" jsonb not null default '{}',
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "userId")
);

-- Calls of the API by day, for the usage page.
create table "call_count" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "day" date not null,
  "requests" integer not null default 0,
  "errors" integer not null default 0,
  "searches" integer not null default 0,
  primary key ("workspaceId", "day")
);
create index "call_count_day" on "call_count" ("day");
