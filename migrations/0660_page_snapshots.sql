-- The saved page of a link: an upload of its workspace, one HTML file. Not a foreign key: an upload is removed a day after
-- its last use, when no page names it any more.
alter table "memory_page" add column "snapshotId" text;
create index "memory_page_snapshot" on "memory_page" ("workspaceId", "snapshotId") where "snapshotId" is not null;
