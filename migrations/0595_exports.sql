-- Exports of a workspace: who asked for it, by what kind of credential and within which limits, how far it is, and what
-- the finished file shows. There is no foreign key: the row must outlive the workspace and the person until the bytes
-- in the file store are removed as well.
create table "export_job" (
  "workspaceId" text not null,
  "id" text not null,
  "createdBy" text not null,
  -- The position that the person had; a lower one later opens the file no more.
  "position" text not null check ("position" in ('owner', 'admin', 'member', 'read-only')),
  -- The limits of the credential: what kinds of things, and which spaces (null = all).
  "contents" text[] not null,
  "spaceIds" text[],
  -- The same for equal limits.
  "reach" text not null,
  "includesFiles" boolean not null,
  "status" text not null check ("status" in ('pending', 'running', 'completed', 'failed', 'expired')),
  -- Counts the runs, so that a run which is believed dead cannot write over the one that took its place.
  "run" integer not null default 0,
  "total" integer not null default 0,
  "processed" integer not null default 0,
  "bytes" bigint,
  "filename" text not null,
  -- Spaces and threads in the file: it is handed out while the person still reads all of them.
  "places" text[] not null default '{}',
  "error" text,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "expiresAt" timestamptz,
  primary key ("workspaceId", "id")
);
-- One at a time for each person in a workspace.
create unique index "export_job_running" on "export_job" ("workspaceId", "createdBy")
  where "status" in ('pending', 'running');
create index "export_job_person" on "export_job" ("workspaceId", "createdBy", "created" desc);

-- What the spaces, threads and messages of an imported archive of Loci became, so that importing it again adds nothing.
-- Each person has places of their own: another member may not read those.
create table "import_place" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "createdBy" text not null references "user" ("id") on delete cascade,
  -- The id in the archive.
  "original" text not null,
  "placeId" text not null,
  "importId" text not null,
  primary key ("workspaceId", "createdBy", "original"),
  foreign key ("workspaceId", "importId") references "import_job" ("workspaceId", "id") on delete cascade
);

alter table "import_change" drop constraint "import_change_kind_check";
alter table "import_change" add constraint "import_change_kind_check"
  check ("kind" in ('space', 'memory', 'text', 'link', 'thread'));
