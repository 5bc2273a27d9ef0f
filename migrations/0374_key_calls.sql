-- Calls of each API key by day, for the usage page. A key that was revoked keeps its numbers.
create table "key_call_count" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "keyId" text not null,
  "day" date not null,
  "requests" integer not null,
  primary key ("workspaceId", "keyId", "day")
);
create index "key_call_count_day" on "key_call_count" ("day");
