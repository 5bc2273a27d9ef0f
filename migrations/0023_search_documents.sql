-- Search documents with what decides whether a hit may be shown, so that a common word needs no look at the memories
-- themselves; the documents are stored aside, which keeps the rows that are scanned small.
drop trigger "index_memory" on "memory";
drop function "index_memory"();
drop table "memory_search";

create table "memory_search" (
  "memoryId" text primary key references "memory" ("id") on delete cascade,
  "workspaceId" text not null,
  -- Null for memories whose base audience is the whole workspace.
  "spaceId" text,
  "archived" boolean not null,
  "deleted" boolean not null,
  "created" timestamptz not null,
  -- Folded, for the operator tag:.
  "tags" text[] not null,
  -- Words of the title alone: the best hits of a common word are found here.
  "title" tsvector not null,
  -- A title, B tags, description and summary, C address, D notes.
  "document" tsvector not null
) with (toast_tuple_target = 256);
alter table "memory_search" alter column "document" set storage external;

create function "search_document"("m" "memory") returns tsvector language sql stable as $$
  select
    setweight(public."search_vector"(coalesce("m"."title", '')), 'A') ||
    setweight(public."search_vector"(array_to_string("m"."tags", ' , ') || ' . ' || coalesce("m"."description", '')
      || ' . ' || coalesce("m"."summary", '')), 'B') ||
    setweight(public."search_vector"(regexp_replace(coalesce("m"."url", ''), '^[a-zA-Z]+://(www\.)?', '')), 'C') ||
    setweight(public."search_vector"(coalesce("m"."notes", '')), 'D')
$$;

create function "index_memory"() returns trigger language plpgsql as $$
begin
  insert into "memory_search" values (
    new."id", new."workspaceId", new."spaceId", new."archived", new."deletedAt" is not null, new."created",
    array(select "search_fold"("tag") from unnest(new."tags") as "tag"),
    "search_vector"(coalesce(new."title", '')), "search_document"(new))
  on conflict ("memoryId") do update
    set "tags" = excluded."tags", "title" = excluded."title", "document" = excluded."document";
  return null;
end
$$;
create trigger "index_memory" after insert or update of "title", "tags", "description", "summary", "url", "notes"
  on "memory" for each row execute function "index_memory"();

create function "index_memory_state"() returns trigger language plpgsql as $$
begin
  update "memory_search" set "spaceId" = new."spaceId", "archived" = new."archived", "deleted" = new."deletedAt" is not null
  where "memoryId" = new."id";
  return null;
end
$$;
create trigger "index_memory_state" after update of "spaceId", "archived", "deletedAt"
  on "memory" for each row execute function "index_memory_state"();

select set_config('app.sync_version', '0', true);
update "memory" set "title" = "title";

create index "memory_search_newest" on "memory_search" ("workspaceId", "created" desc);
create index "memory_search_document" on "memory_search" using gin ("document") with (fastupdate = off);
create index "memory_search_tags" on "memory_search" using gin ("tags") with (fastupdate = off);
