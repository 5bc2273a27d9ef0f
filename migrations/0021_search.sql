-- Full-text search: folding and words as shared/memories/text-analysis.ts has them, one document per memory, and
-- indexes for messages and titles.

-- Functions name each other with their schema, because indexes are built under a search path of their own.
-- Spellings that a reader takes as equal become equal.
create function "search_fold"("given" text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length("given") = length("given") then lower("given") else
    normalize(translate(replace(replace(replace(replace(
      lower(regexp_replace(normalize(lower(normalize("given", NFKC)), NFKD), '[\u0300-\u036f]+', '', 'g')),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øđðłħıς', 'oddlhiσ'), NFKC) end
$$;

-- Words divided by spaces: signs would make the parser see addresses, paths and numbers, and ideographs stand alone.
create function "search_words"("given" text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length("given") = length("given") then
    regexp_replace(lower("given"), '[^a-z0-9]+', ' ', 'g')
  else
    regexp_replace(regexp_replace(public."search_fold"("given"), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g'),
      '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g')
  end
$$;

create function "search_vector"("given" text) returns tsvector language sql immutable strict parallel safe as $$
  select to_tsvector('pg_catalog.simple', public."search_words"("given"))
$$;

create table "memory_search" (
  "memoryId" text primary key references "memory" ("id") on delete cascade,
  "workspaceId" text not null,
  -- A title, B tags, description and summary, C address, D notes.
  "document" tsvector not null
);
create index "memory_search_workspace" on "memory_search" ("workspaceId");
create index "memory_search_document" on "memory_search" using gin ("document") with (fastupdate = off);

create function "index_memory"() returns trigger language plpgsql as $$
begin
  insert into "memory_search" values (new."id", new."workspaceId",
    setweight("search_vector"(coalesce(new."title", '')), 'A') ||
    setweight("search_vector"(array_to_string(new."tags", ' , ') || ' . ' || coalesce(new."description", '') || ' . '
      || coalesce(new."summary", '')), 'B') ||
    setweight("search_vector"(regexp_replace(coalesce(new."url", ''), '^[a-zA-Z]+://(www\.)?', '')), 'C') ||
    setweight("search_vector"(coalesce(new."notes", '')), 'D'))
  on conflict ("memoryId") do update set "document" = excluded."document";
  return null;
end
$$;
create trigger "index_memory" after insert or update of "title", "tags", "description", "summary", "url", "notes"
  on "memory" for each row execute function "index_memory"();

-- Memories that are there already, through the same trigger.
select set_config('app.sync_version', '0', true);
update "memory" set "title" = "title";

create index "message_text" on "message" using gin ("search_vector"("content")) with (fastupdate = off);

-- Parts of words and misspelt words in titles, where the extension may be used.
do $$
begin
  create extension if not exists pg_trgm;
  create index "memory_title_parts" on "memory" using gin ("search_fold"("title") gin_trgm_ops);
exception when others then
  raise notice 'search of parts of words works without an index: %', sqlerrm;
end
$$;
