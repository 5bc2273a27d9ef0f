-- What each import changed, so that it can be taken back as one; imports from before have nothing recorded.
alter table "import_job"
  add column "undo" text not null default 'impossible'
    check ("undo" in ('impossible', 'possible', 'running', 'done')),
  add column "removedCount" integer not null default 0,
  add column "restoredCount" integer not null default 0,
  add column "keptCount" integer not null default 0,
  add column "kept" jsonb not null default '[]';

create table "import_change" (
  "importId" text not null references "import_job" ("id") on delete cascade,
  "seq" bigint generated always as identity,
  "kind" text not null check ("kind" in ('space', 'memory', 'text', 'link')),
  "entityId" text not null,
  -- Where it is from in the archive.
  "path" text not null,
  -- The time that the import left on the row; another one there means that it was changed since.
  "left" timestamptz not null,
  -- When the import wrote it.
  "at" timestamptz not null,
  -- Of a memory that was there before: the values that the import replaced, and what was known of its item.
  "before" jsonb,
  primary key ("importId", "seq")
);
-- What a later import changed again.
create index "import_change_entity" on "import_change" ("entityId", "seq");

-- An item whose memory went with an undone import comes in again, unless that memory was brought back.
alter table "import_item" add column "undone" boolean not null default false;
