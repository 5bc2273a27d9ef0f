-- Workspaces with members, and what they hold: spaces, memories, links, threads, messages, notifications.
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
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "deletedAt" timestamptz
);
create index "workspace_owner" on "workspace" ("ownerId");

-- Earlier slugs of workspaces (scope '') and of spaces (scope = workspace id), for redirects.
create table "slug_redirect" (
  "scope" text not null,
  "slug" text not null,
  "targetId" text not null,
  "until" timestamptz not null,
  primary key ("scope", "slug")
);

create table "workspace_member" (
  "id" text primary key,
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "userId" text not null references "user" ("id") on delete cascade,
  "invitedBy" text references "user" ("id") on delete set null,
  "position" text not null check ("position" in ('owner', 'admin', 'member', 'read-only')),
  "created" timestamptz not null,
  "updated" timestamptz not null,
  unique ("workspaceId", "userId")
);
create index "workspace_member_user" on "workspace_member" ("userId");

create table "space" (
  "id" text primary key,
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "ownerId" text not null references "user" ("id"),
  "createdBy" text not null references "user" ("id"),
  "lastEditedBy" text not null references "user" ("id"),
  "name" text not null,
  "description" text,
  "color" text not null,
  "slug" text not null,
  "origin" text not null,
  "visibility" text not null,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "deletedAt" timestamptz,
  unique ("workspaceId", "slug")
);

create table "memory" (
  "id" text primary key,
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "ownerId" text not null references "user" ("id"),
  "createdBy" text not null references "user" ("id"),
  "lastEditedBy" text not null references "user" ("id"),
  "spaceId" text references "space" ("id") on delete set null,
  "type" text not null check ("type" in ('note', 'link', 'file')),
  "origin" text not null,
  "contentStatus" text not null
    check ("contentStatus" in ('pending', 'processing', 'completed', 'failed', 'unavailable')),
  "metadata" jsonb not null default '{}',
  "title" text,
  "description" text,
  "summary" text,
  "url" text,
  "urlKey" text,
  "notes" text,
  "bodyHash" text,
  "bodyBytes" integer not null default 0,
  "tags" text[] not null default '{}',
  "screenshot" text,
  "filename" text,
  "integrationId" text,
  "uploadId" text,
  "archived" boolean not null default false,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "deletedAt" timestamptz
);
create index "memory_newest" on "memory" ("workspaceId", "created" desc, "id");
create index "memory_space" on "memory" ("spaceId") where "spaceId" is not null;
create index "memory_url" on "memory" ("workspaceId", "urlKey") where "urlKey" is not null;
create index "memory_tags" on "memory" using gin ("tags");

create table "space_memory" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "spaceId" text not null references "space" ("id") on delete cascade,
  "memoryId" text not null references "memory" ("id") on delete cascade,
  "createdBy" text not null references "user" ("id"),
  "created" timestamptz not null,
  primary key ("spaceId", "memoryId")
);
create index "space_memory_memory" on "space_memory" ("memoryId");

create table "thread" (
  "id" text primary key,
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "ownerId" text not null references "user" ("id"),
  "createdBy" text references "user" ("id"),
  "lastEditedBy" text references "user" ("id"),
  "name" text not null,
  "summary" text,
  "origin" text not null,
  "visibility" text not null,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "deletedAt" timestamptz
);
create index "thread_newest" on "thread" ("workspaceId", "created" desc, "id");

create table "message" (
  "id" text primary key,
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "threadId" text not null references "thread" ("id") on delete cascade,
  "role" text not null check ("role" in ('user', 'assistant', 'system')),
  "content" text not null,
  "createdBy" text references "user" ("id"),
  "createdAt" timestamptz not null
);
create index "message_order" on "message" ("threadId", "createdAt", "id");

create table "notification" (
  "id" text primary key,
  "userId" text not null references "user" ("id") on delete cascade,
  "workspaceId" text references "workspace" ("id") on delete cascade,
  "category" text not null,
  "triggerId" text not null,
  "title" text not null,
  "body" text not null,
  "priority" text not null,
  "metadata" jsonb not null default '{}',
  "seen" boolean not null default false,
  "status" text not null default 'active' check ("status" in ('active', 'archived')),
  "created" timestamptz not null,
  "updated" timestamptz not null
);
create index "notification_user" on "notification" ("userId", "created" desc);
