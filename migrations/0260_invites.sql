-- Invitations into a workspace. The secret that proves the address stands in the mail alone, here only its hash.
create table "invite" (
  "id" text primary key,
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "email" text not null,
  "createdBy" text not null references "user" ("id"),
  "acceptedAt" timestamptz,
  "position" text not null check ("position" in ('admin', 'member', 'read-only')),
  "status" text not null check ("status" in ('pending', 'accepted', 'expired', 'revoked')),
  "expiresAt" timestamptz not null,
  "lastSentAt" timestamptz,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "tokenHash" text,
  "acceptedBy" text references "user" ("id")
);
-- An address has one pending invitation into a workspace; a new one revokes the one before.
create unique index "invite_pending" on "invite" ("workspaceId", lower("email")) where "status" = 'pending';
create index "invite_workspace" on "invite" ("workspaceId", "created" desc);
create index "invite_sender" on "invite" ("createdBy", "created");
create index "invite_expiry" on "invite" ("expiresAt") where "status" = 'pending';
