-- Imports: a job per archive, the archive in pieces until the job has ended, and which file became which memory.
create table "import_job" (
  "id" text primary key,
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "createdBy" text not null references "user" ("id") on delete cascade,
  "filename" text not null,
  "folders" text not null check ("folders" in ('tags', 'spaces', 'none')),
  "status" text not null check ("status" in ('pending', 'running', 'completed', 'failed')),
  "total" integer not null,
  "processed" integer not null default 0,
  "imported" integer not null default 0,
  "updatedCount" integer not null default 0,
  "unchanged" integer not null default 0,
  "problems" jsonb not null default '[]',
  "error" text,
  "created" timestamptz not null,
  "updated" timestamptz not null
);
create index "import_job_workspace" on "import_job" ("workspaceId", "created" desc);

create table "import_archive" (
  "importId" text not null references "import_job" ("id") on delete cascade,
  "seq" integer not null,
  "bytes" bytea not null,
  primary key ("importId", "seq")
);

-- A file is known by its path, its part and its content; a second import of the same finds it here. bodyHash is the
-- text as it was imported: while the memory still has it, a newer version of the file may replace it.
create table "import_item" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "archive" text not null,
  "path" text not null,
  "part" integer not null,
  "contentHash" text not null,
  "bodyHash" text,
  "memoryId" text not null references "memory" ("id") on delete cascade,
  primary key ("workspaceId", "archive", "path", "part")
);
create index "import_item_memory" on "import_item" ("memoryId");
create index "import_item_content" on "import_item" ("workspaceId", "contentHash");
