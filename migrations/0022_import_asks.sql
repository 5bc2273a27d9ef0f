-- An import that would make many spaces asks what its folders become before it writes anything.

alter table "import_job"
  drop constraint "import_job_status_check",
  add constraint "import_job_status_check"
    check ("status" in ('pending', 'asking', 'running', 'completed', 'failed')),
  -- New spaces that it may make without asking; null when it never asks, and once that is settled.
  add column "spacesMax" integer,
  -- Items whose folders were looked at so far, and the slug and name of each space that they would become.
  add column "counted" integer not null default 0,
  add column "countedSpaces" jsonb not null default '[]',
  -- What it asks about: how many spaces would be new, and the first few names.
  add column "newSpaces" integer not null default 0,
  add column "newSpaceNames" jsonb not null default '[]',
  -- When the person chose; the time that an import may take begins again then.
  add column "answered" timestamptz;
create index "import_job_asking" on "import_job" ("updated") where "status" = 'asking';
