-- API keys and OAuth access tokens. Each belongs to a membership and ends with it.
create table "api_key" (
  "id" text primary key,
  "workspaceId" text not null,
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
  foreign key ("workspaceId", "ownerId") references "workspace_member" ("workspaceId", "userId") on delete cascade
);
create index "api_key_workspace" on "api_key" ("workspaceId", "ownerId");

create table "oauth_token" (
  "tokenHash" text primary key,
  "workspaceId" text not null,
  "userId" text not null,
  "clientId" text not null,
  "scopes" text[] not null,
  "spaceIds" text[],
  "created" timestamptz not null,
  "expiresAt" timestamptz not null,
  foreign key ("workspaceId", "userId") references "workspace_member" ("workspaceId", "userId") on delete cascade
);
create index "oauth_token_member" on "oauth_token" ("workspaceId", "userId");
create index "oauth_token_expiry" on "oauth_token" ("expiresAt");
