-- Search: indexes outside of the database find words and parts of titles; the documents that stay serve the public
-- search and searches for which no index is ready.
drop index if exists "memory_title_parts";

create or replace function "index_memory"() returns trigger language plpgsql as $$
begin
  insert into "memory_search" ("memoryId", "workspaceId", "spaceId", "archived", "deleted", "created", "tags", "document")
  values (
    new."id", new."workspaceId", new."spaceId", new."archived", new."deletedAt" is not null, new."created",
    array(select "search_fold"("tag") from unnest(new."tags") as "tag"), "search_document"(new))
  on conflict ("memoryId") do update set "tags" = excluded."tags", "document" = excluded."document";
  return null;
end
$$;

alter table "memory_search" drop column "title";
