-- An import reads its archive where it arrived, piece by piece, so that an archive need not fit into memory.

alter table "partial_upload"
  -- The import that reads it; it stays until that has ended.
  add column "importId" text,
  add foreign key ("workspaceId", "importId") references "import_job" ("workspaceId", "id") on delete cascade;
create index "partial_upload_import" on "partial_upload" ("workspaceId", "importId") where "importId" is not null;

insert into "partial_upload"
  ("workspaceId", "id", "userId", "sender", "filename", "mediaType", "bytes", "received", "created", "expires", "importId")
select j."workspaceId", j."id", j."createdBy", 'session', j."filename", '', a."bytes", a."bytes", j."created",
  j."created" + interval '30 days', j."id"
from "import_job" j
join (select "workspaceId", "importId", sum(length("bytes")) as "bytes" from "import_archive" group by 1, 2) a
  on a."workspaceId" = j."workspaceId" and a."importId" = j."id"
where a."bytes" > 0;

insert into "partial_upload_piece" ("workspaceId", "uploadId", "at", "bytes")
select "workspaceId", "importId",
  sum(length("bytes")) over (partition by "workspaceId", "importId" order by "seq") - length("bytes"), "bytes"
from "import_archive";

drop table "import_archive";
