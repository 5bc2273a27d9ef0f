-- Clients, consents, codes and tokens of the OAuth provider. Values are stored as SHA-256 only; what belongs to a consent
-- ends with it, and a consent ends with the membership that it was given in.
create table "oauth_client" (
  "id" text primary key,
  -- What the client calls itself in requests: the id, or the address of its metadata document.
  "identifier" text not null unique,
  -- Null for clients that registered themselves or describe themselves in a document.
  "workspaceId" text references "workspace" ("id") on delete cascade,
  "createdBy" text references "user" ("id") on delete set null,
  "name" text not null,
  "description" text,
  "email" text,
  "logoUrl" text,
  "websiteUrl" text,
  "privacyPolicyUrl" text,
  "termsOfServiceUrl" text,
  "verified" boolean not null default false,
  -- Redirect addresses, grants and authentication, in the words of RFC 7591.
  "metadata" jsonb not null,
  "secretHash" text,
  "lastUsedAt" timestamptz,
  "created" timestamptz not null,
  "updated" timestamptz not null
);
create index "oauth_client_workspace" on "oauth_client" ("workspaceId");

create table "oauth_grant" (
  "id" text primary key,
  "clientId" text not null references "oauth_client" ("id") on delete cascade,
  "workspaceId" text not null,
  "userId" text not null,
  "scopes" text[] not null,
  -- Null means every space of the workspace.
  "spaceIds" text[],
  "payload" jsonb not null,
  "created" timestamptz not null,
  "lastUsedAt" timestamptz not null,
  foreign key ("workspaceId", "userId") references "workspace_member" ("workspaceId", "userId") on delete cascade
);
create index "oauth_grant_member" on "oauth_grant" ("workspaceId", "userId");
create index "oauth_grant_user" on "oauth_grant" ("userId");
create index "oauth_grant_client" on "oauth_grant" ("clientId");

create table "oauth_code" (
  "valueHash" text primary key,
  "grantId" text not null references "oauth_grant" ("id") on delete cascade,
  "payload" jsonb not null,
  "consumedAt" timestamptz,
  "created" timestamptz not null,
  "expiresAt" timestamptz not null
);
create index "oauth_code_grant" on "oauth_code" ("grantId");
create index "oauth_code_expiry" on "oauth_code" ("expiresAt");

create table "oauth_refresh" (
  "valueHash" text primary key,
  "grantId" text not null references "oauth_grant" ("id") on delete cascade,
  "payload" jsonb not null,
  "consumedAt" timestamptz,
  "created" timestamptz not null,
  "expiresAt" timestamptz not null
);
create index "oauth_refresh_grant" on "oauth_refresh" ("grantId");
create index "oauth_refresh_expiry" on "oauth_refresh" ("expiresAt");

create table "oauth_token" (
  "tokenHash" text primary key,
  "grantId" text not null references "oauth_grant" ("id") on delete cascade,
  "clientId" text not null,
  "workspaceId" text not null,
  "userId" text not null,
  "scopes" text[] not null,
  "spaceIds" text[],
  -- The resource that the token is for; null for the API and userinfo.
  "audience" text,
  "payload" jsonb not null,
  "created" timestamptz not null,
  "expiresAt" timestamptz not null,
  foreign key ("workspaceId", "userId") references "workspace_member" ("workspaceId", "userId") on delete cascade
);
create index "oauth_token_grant" on "oauth_token" ("grantId");
create index "oauth_token_member" on "oauth_token" ("workspaceId", "userId");
create index "oauth_token_expiry" on "oauth_token" ("expiresAt");

-- Keys that sign id tokens; the newest signs once verifiers have had time to fetch it. The private key is encrypted, or
-- stored as it is where the server has no key: one of the two columns is null.
create table "oauth_signing_key" (
  "kid" text primary key,
  "secret" text,
  "sealedSecret" text,
  "created" timestamptz not null
);
