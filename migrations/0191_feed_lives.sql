-- An edge of the feed may live several times. "born" stays the version of its first life; these two say when the present
-- or last one began and when the one before it ended, so that a deletion is sent only to replicas that may have the row.
-- Null means that there was one life only.
alter table "sync_entry" add column "since" bigint, add column "gone" bigint;
