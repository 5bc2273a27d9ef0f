-- API keys. Each belongs to a membership and ends with it.
create table "api_key" (
  "workspaceId" text not null,
  "id" text not null,
  "ownerId" text not null,
  "name" text not null,
  "scopes" text[] not null,
  -- Null means every space of the workspace.
  "spaceIds" text[],
  "tokenHash" text not null unique,
  "last4" text not null,
  "expiresAt" timestamptz,
  "lastUsedAt" timestamptz,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "id"),
  foreign key ("workspaceId", "ownerId") references "workspace_member" ("workspaceId", "userId") on delete cascade
);
create index "api_key_workspace" on "api_key" ("workspaceId", "ownerId");

-- Calls of each API key by day, for the usage page. A key that was revoked keeps its numbers.
create table "key_call_count" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "keyId" text not null,
  "day" date not null,
  "requests" integer not null,
  primary key ("workspaceId", "keyId", "day")
);
create index "key_call_count_day" on "key_call_count" ("day");
