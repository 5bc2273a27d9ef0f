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
