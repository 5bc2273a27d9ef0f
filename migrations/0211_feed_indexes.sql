-- Every edge that a write changes is entered into every index of the feed, under the lock of its workspace. Pulls look keys
-- up by audience, so what an index by realm is for is the removal of old tombstones, and only those stand in it.
drop index "sync_entry_key";
create index "sync_entry_dead" on "sync_entry" ("realmId", "ver") where not "live";
