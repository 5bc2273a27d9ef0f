-- The page behind a link: its text as it was fetched last, and how the fetching stands. Apart from the memory, because a
-- replica holds every memory and not every page.
create table "memory_page" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "memoryId" text not null references "memory" ("id") on delete cascade,
  -- Address that the text came from, after redirects; null before the first success.
  "url" text,
  "text" text,
  -- SHA-256 of the text in hexadecimal.
  "hash" text,
  "fetched" timestamptz,
  -- When a job was added last.
  "queued" timestamptz not null,
  -- Attempts since the person last asked for the page.
  "tries" integer not null default 0,
  -- Until then one server works on it.
  "leaseUntil" timestamptz,
  primary key ("workspaceId", "memoryId")
);
create index "memory_page_memory" on "memory_page" ("memoryId");

-- Links that still wait for their page.
create index "memory_waiting" on "memory" ("workspaceId", "id")
  where "type" = 'link' and "contentStatus" = 'pending' and "deletedAt" is null;
