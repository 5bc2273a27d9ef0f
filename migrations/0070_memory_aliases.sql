-- Ids under which devices captured a page that was there already: what they write about them goes to the one memory.
create table "memory_alias" (
  "id" text primary key,
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "memoryId" text not null references "memory" ("id") on delete cascade,
  "created" timestamptz not null
);
create index "memory_alias_memory" on "memory_alias" ("memoryId");
