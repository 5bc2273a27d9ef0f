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
  primary key ("workspaceId", "id"),
  unique ("workspaceId", "hash")
);
create index "upload_touched" on "upload" ("touched");
create index "memory_upload" on "memory" ("workspaceId", "uploadId") where "uploadId" is not null;

-- Files whose text is not extracted yet.
create index "memory_file_waiting" on "memory" ("workspaceId", "id")
  where "type" = 'file' and "contentStatus" = 'pending' and "deletedAt" is null;
