-- Changes of thousands of rows at once, and what they cost for each row.

-- A change of the home, the archive or the trash finds room on the page of its search document, so that the words of the
-- document need not be indexed again. It holds for pages that are written from now on.
alter table "memory_search" set (fillfactor = 60);

-- Words of new documents are gathered and enter the index together, which halves what a change of tags or text costs. The
-- list stays short, because each search reads it and the writer who fills it empties it.
alter index "memory_search_document" set (fastupdate = on, gin_pending_list_limit = 512);

-- The operator tag: and the filter by tags read the folded tags of "memory_search"; nothing reads this one.
drop index "memory_tags";

-- Both columns: with one of them, statistics from the time when the table was small lead to the primary key, of which all
-- links of the workspace are then read for each memory.
create index "space_memory_of" on "space_memory" ("workspaceId", "memoryId");
drop index "space_memory_memory";
