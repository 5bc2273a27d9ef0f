-- Who writes the answers of a workspace, where its owners or admins have chosen; without a row the server's own.
create table "answering_setting" (
  "workspaceId" text primary key references "workspace" ("id") on delete cascade,
  "provider" text not null check ("provider" in ('server', 'none', 'openai-compatible', 'anthropic', 'google')),
  "url" text,
  "model" text,
  -- Encrypted with a key that is not in the database; its last characters as people see them.
  "sealedKey" text,
  "keyEnd" text,
  "updated" timestamptz not null
);
