-- How content gets in and out: pages of links, files, imports, exports, feeds and mails.

-- The page behind a link: its text as it was fetched last, and how the fetching stands. Apart from the memory, because a
-- replica holds every memory and not every page.
create table "memory_page" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "memoryId" text not null,
  -- Address that the text came from, after redirects; null before the first success.
  "url" text,
  "text" text,
  -- SHA-256 of the text in hexadecimal.
  "hash" text,
  -- The saved page, one HTML file among the uploads. Not a foreign key: an upload is removed a day after its last use,
  -- when no page names it any more.
  "snapshotId" text,
  "fetched" timestamptz,
  -- When a job was added last.
  "queued" timestamptz not null,
  -- Attempts since the person last asked for the page.
  "tries" integer not null default 0,
  -- Until then one server works on it, in this job: when that server was killed, the job's next try need not wait.
  "leaseUntil" timestamptz,
  "leaseJob" text,
  primary key ("workspaceId", "memoryId"),
  foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade
);
create index "memory_page_snapshot" on "memory_page" ("workspaceId", "snapshotId") where "snapshotId" is not null;

create function "forget_embedding_of_page"() returns trigger language plpgsql as $$
begin
  -- Waits for a job that is storing the vectors of the former text.
  perform 1 from "memory" where "workspaceId" = new."workspaceId" and "id" = new."memoryId" for no key update;
  delete from "memory_embedding" where "workspaceId" = new."workspaceId" and "memoryId" = new."memoryId";
  return null;
end
$$;
create trigger "forget_embedding_of_new_page" after insert on "memory_page" for each row
  when (new."text" is not null) execute function "forget_embedding_of_page"();
create trigger "forget_embedding_of_page" after update of "text" on "memory_page" for each row
  when (old."text" is distinct from new."text") execute function "forget_embedding_of_page"();

-- Files that members upload. The bytes are in the file store under the id; equal files of a workspace share one row.
-- There is no foreign key to the workspace: the row must outlive it until the bytes are removed as well.
create table "upload" (
  "workspaceId" text not null,
  "id" text not null,
  -- SHA-256 of the bytes in hexadecimal.
  "hash" text not null,
  "bytes" bigint not null,
  -- One of shared/capture/file-kinds.ts.
  "kind" text not null,
  "createdBy" text references "user" ("id") on delete set null,
  "created" timestamptz not null,
  -- When the file was uploaded last; one that no memory uses is removed a day later.
  "touched" timestamptz not null,
  -- Null until the bytes are in the store.
  "stored" timestamptz,
  -- Hash of the preview picture, whose bytes are in the file store under the id and this hash.
  "preview" text,
  -- When a preview was made, or was found to be impossible; null for files that were never looked at.
  "previewed" timestamptz,
  primary key ("workspaceId", "id"),
  unique ("workspaceId", "hash")
);
create index "upload_touched" on "upload" ("touched");
create index "upload_unpreviewed" on "upload" ("created") where "previewed" is null;

-- Files that are sent in parts. What has arrived waits in the database until the file is whole, as archives of imports do,
-- so that any server may take the next part and nothing of it outlives its row.
create table "partial_upload" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null,
  "userId" text not null references "user" ("id") on delete cascade,
  -- A key or an app knows only of its own; one that is limited to spaces must not learn of what is sent to others.
  "sender" text not null,
  "filename" text not null,
  "mediaType" text not null,
  -- As announced, and how many of them are here.
  "bytes" bigint not null,
  "received" bigint not null default 0,
  -- What the whole file became; its pieces are gone then.
  "memoryId" text,
  "created" timestamptz not null,
  "expires" timestamptz not null,
  primary key ("workspaceId", "id"),
  check ("bytes" > 0 and "received" between 0 and "bytes")
);
create index "partial_upload_user" on "partial_upload" ("userId");
create index "partial_upload_expires" on "partial_upload" ("expires");

create table "partial_upload_piece" (
  "workspaceId" text not null,
  "uploadId" text not null,
  -- Its place in the file.
  "at" bigint not null,
  "bytes" bytea not null,
  primary key ("workspaceId", "uploadId", "at"),
  foreign key ("workspaceId", "uploadId") references "partial_upload" ("workspaceId", "id") on delete cascade
);
-- Most files are packed already.
alter table "partial_upload_piece" alter column "bytes" set storage external;

-- One job per imported archive.
create table "import_job" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null,
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
  -- What was done, and left, when the import was taken back as one.
  "undo" text not null default 'impossible' check ("undo" in ('impossible', 'possible', 'running', 'done')),
  "removedCount" integer not null default 0,
  "restoredCount" integer not null default 0,
  "keptCount" integer not null default 0,
  "kept" jsonb not null default '[]',
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "id")
);
create index "import_job_workspace" on "import_job" ("workspaceId", "created" desc);

-- The archive in pieces, until the job has ended.
create table "import_archive" (
  "workspaceId" text not null,
  "importId" text not null,
  "seq" integer not null,
  "bytes" bytea not null,
  primary key ("workspaceId", "importId", "seq"),
  foreign key ("workspaceId", "importId") references "import_job" ("workspaceId", "id") on delete cascade
);

-- A file is known by its path, its part and its content; a second import of the same finds it here.
create table "import_item" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "archive" text not null,
  "path" text not null,
  "part" integer not null,
  "contentHash" text not null,
  -- The text as it was imported: while the memory still has it, a newer version of the file may replace it.
  "bodyHash" text,
  "memoryId" text not null,
  -- An item whose memory went with an undone import comes in again, unless that memory was brought back.
  "undone" boolean not null default false,
  primary key ("workspaceId", "archive", "path", "part"),
  foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade
);
create index "import_item_memory" on "import_item" ("memoryId");
create index "import_item_content" on "import_item" ("workspaceId", "contentHash");

-- What each import changed, so that it can be taken back as one.
create table "import_change" (
  "workspaceId" text not null,
  "importId" text not null,
  "seq" bigint generated always as identity,
  "kind" text not null check ("kind" in ('space', 'memory', 'text', 'link', 'thread')),
  "entityId" text not null,
  -- Where it is from in the archive.
  "path" text not null,
  -- The time that the import left on the row; another one there means that it was changed since.
  "left" timestamptz not null,
  -- When the import wrote it.
  "at" timestamptz not null,
  -- Of a memory that was there before: the values that the import replaced, and what was known of its item.
  "before" jsonb,
  primary key ("workspaceId", "importId", "seq"),
  foreign key ("workspaceId", "importId") references "import_job" ("workspaceId", "id") on delete cascade
);
-- What a later import changed again.
create index "import_change_entity" on "import_change" ("entityId", "seq");

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

-- Feeds of other sites that members follow.
create table "feed" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null,
  "ownerId" text not null references "user" ("id") on delete cascade,
  -- Not a foreign key: a feed whose space was purged is paused and says so.
  "spaceId" text not null,
  "url" text not null,
  "title" text not null,
  "state" text not null,
  "problem" text,
  -- Of the last answer, so that the site need not send again what is known.
  "etag" text,
  "lastModified" text,
  "checkedAt" timestamptz,
  "nextAt" timestamptz,
  "failingSince" timestamptz,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "id"),
  unique ("workspaceId", "ownerId", "url")
);
create index "feed_due" on "feed" ("nextAt") where "nextAt" is not null;

-- The entries that were seen in them.
create table "feed_entry" (
  "workspaceId" text not null,
  "feedId" text not null,
  -- Hash of what the feed calls the entry.
  "key" text not null,
  "seen" timestamptz not null,
  -- False for entries that were there before the feed was followed.
  "saved" boolean not null,
  primary key ("workspaceId", "feedId", "key"),
  foreign key ("workspaceId", "feedId") references "feed" ("workspaceId", "id") on delete cascade
);

-- The secret addresses that people send mails to. An address belongs to a membership and ends with it.
create table "mail_address" (
  "workspaceId" text not null,
  "userId" text not null,
  -- Of the part before the @, by which a mail finds its address.
  "hash" text not null,
  -- The same part, so that it can be shown again; one of the two is null.
  "secret" text,
  "sealedSecret" text,
  "created" timestamptz not null,
  primary key ("workspaceId", "userId"),
  foreign key ("workspaceId", "userId") references "workspace_member" ("workspaceId", "userId") on delete cascade
);
create index "mail_address_hash" on "mail_address" ("hash");

-- The mails that came in, so that one which is sent twice is saved once.
create table "received_mail" (
  "workspaceId" text not null,
  "userId" text not null,
  -- Hash of its Message-ID, or of what is in it.
  "key" text not null,
  "received" timestamptz not null,
  primary key ("workspaceId", "userId", "key"),
  foreign key ("workspaceId", "userId") references "workspace_member" ("workspaceId", "userId") on delete cascade
);
create index "received_mail_age" on "received_mail" ("received");
