-- Lists, counts and the random order of memories read this index alone; the rows themselves only for one page.
create index "memory_listed" on "memory" ("workspaceId", "created" desc, "id" desc)
  include ("spaceId", "archived", "contentStatus") where "deletedAt" is null;
drop index "memory_newest";
