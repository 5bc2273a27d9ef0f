-- An answer that is written again keeps its id and its place; what it said before becomes a message of its own beside it.
alter table "message"
  -- The answer that took the place of this one; null for what a thread says now.
  add column "versionOf" text,
  -- When the text was written, if that was later than the first answer in its place.
  add column "rewrittenAt" timestamptz,
  add foreign key ("workspaceId", "versionOf") references "message" ("workspaceId", "id") on delete cascade;
create index "message_version" on "message" ("workspaceId", "versionOf") where "versionOf" is not null;
