-- Memories, the spaces they stand in, and how they are found by words and by meaning.

create table "memory" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null unique,
  "ownerId" text not null references "user" ("id"),
  "createdBy" text not null references "user" ("id"),
  "lastEditedBy" text not null references "user" ("id"),
  "spaceId" text,
  "type" text not null check ("type" in ('note', 'link', 'file')),
  "origin" text not null,
  "contentStatus" text not null
    check ("contentStatus" in ('pending', 'processing', 'completed', 'failed', 'unavailable')),
  "metadata" jsonb not null default '{}',
  "title" text,
  "description" text,
  "summary" text,
  "url" text,
  "urlKey" text,
  "notes" text,
  "bodyHash" text,
  "bodyBytes" integer not null default 0,
  "tags" text[] not null default '{}',
  "screenshot" text,
  "filename" text,
  "integrationId" text,
  "uploadId" text,
  "archived" boolean not null default false,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  -- When what the public may see of it changed last; null = never since it was made. Private notes move "updated" alone.
  "publicUpdated" timestamptz,
  "deletedAt" timestamptz,
  primary key ("workspaceId", "id"),
  foreign key ("workspaceId", "spaceId") references "space" ("workspaceId", "id") on delete set null ("spaceId")
);
-- Lists, counts and the random order of memories read this index alone; the rows themselves only for one page.
create index "memory_listed" on "memory" ("workspaceId", "created" desc, "id" desc)
  include ("spaceId", "archived", "contentStatus") where "deletedAt" is null;
create index "memory_space" on "memory" ("spaceId") where "spaceId" is not null;
create index "memory_url" on "memory" ("workspaceId", "urlKey") where "urlKey" is not null;
create index "memory_tags" on "memory" using gin ("tags");
create index "memory_upload" on "memory" ("workspaceId", "uploadId") where "uploadId" is not null;
-- Links that wait for their page, and files that wait for their text.
create index "memory_waiting" on "memory" ("workspaceId", "id")
  where "type" = 'link' and "contentStatus" = 'pending' and "deletedAt" is null;
create index "memory_file_waiting" on "memory" ("workspaceId", "id")
  where "type" = 'file' and "contentStatus" = 'pending' and "deletedAt" is null;

create table "space_memory" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "spaceId" text not null,
  "memoryId" text not null,
  "createdBy" text not null references "user" ("id"),
  "created" timestamptz not null,
  primary key ("workspaceId", "spaceId", "memoryId"),
  foreign key ("workspaceId", "spaceId") references "space" ("workspaceId", "id") on delete cascade,
  foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade
);
create index "space_memory_memory" on "space_memory" ("memoryId");

-- Ids under which devices captured a page that was there already: what they write about them goes to the one memory.
create table "memory_alias" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null unique,
  "memoryId" text not null,
  "created" timestamptz not null,
  primary key ("workspaceId", "id"),
  foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade
);
create index "memory_alias_memory" on "memory_alias" ("memoryId");

-- The date that visitors see moves with the fields of shared/memories/public-memory.ts, and with the notes only where these
-- are published: in a public or unlisted space that publishes texts.
create function "is_text_published"(workspace_id text, memory_id text) returns boolean language sql stable as $$
  select exists (
    select 1 from "space_memory" link
    join "space" on "space"."workspaceId" = link."workspaceId" and "space"."id" = link."spaceId"
    where link."workspaceId" = workspace_id and link."memoryId" = memory_id
      and "space"."publishText" and "space"."deletedAt" is null and "space"."visibility" in ('public', 'unlisted'))
$$;

create function "memory_public_updated"() returns trigger language plpgsql as $$
begin
  if (old."type", old."title", old."description", old."summary", old."url", old."tags", old."screenshot",
      old."filename", old."contentStatus")
    is distinct from (new."type", new."title", new."description", new."summary", new."url", new."tags",
      new."screenshot", new."filename", new."contentStatus")
    or (new."type" = 'note' and old."notes" is distinct from new."notes"
      and "is_text_published"(new."workspaceId", new."id")) then
    new."publicUpdated" := new."updated";
  end if;
  return new;
end
$$;
create trigger "memory_public_updated" before update on "memory" for each row execute function "memory_public_updated"();

-- Full-text search: folding and words as shared/memories/text-analysis.ts has them. The indexes of server/search find
-- words and parts of titles; the documents here serve the public search, and searches for which no index is ready.
-- Functions name each other with their schema, because indexes are built under a search path of their own.

-- Spellings that a reader takes as equal become equal.
create function "search_fold"("given" text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length("given") = length("given") then lower("given") else
    normalize(translate(replace(replace(replace(replace(
      lower(regexp_replace(normalize(lower(normalize("given", NFKC)), NFKD), '[\u0300-\u036f]+', '', 'g')),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øđðłħıς', 'oddlhiσ'), NFKC) end
$$;

-- Words divided by spaces: signs would make the parser see addresses, paths and numbers, and ideographs with their
-- iteration marks stand alone.
create function "search_words"("given" text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length("given") = length("given") then
    regexp_replace(lower("given"), '[^a-z0-9]+', ' ', 'g')
  else
    regexp_replace(regexp_replace(public."search_fold"("given"),
      '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30fb]+', ' ', 'g'),
      '([\u3005\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g')
  end
$$;

create function "search_vector"("given" text) returns tsvector language sql immutable strict parallel safe as $$
  select to_tsvector('pg_catalog.simple', public."search_words"("given"))
$$;

-- A title, B tags, description and summary, C address, D notes.
create function "search_document"("m" "memory") returns tsvector language sql stable as $$
  select
    setweight(public."search_vector"(coalesce("m"."title", '')), 'A') ||
    setweight(public."search_vector"(array_to_string("m"."tags", ' , ') || ' . ' || coalesce("m"."description", '')
      || ' . ' || coalesce("m"."summary", '')), 'B') ||
    setweight(public."search_vector"(regexp_replace(coalesce("m"."url", ''), '^[a-zA-Z]+://(www\.)?', '')), 'C') ||
    setweight(public."search_vector"(coalesce("m"."notes", '')), 'D')
$$;

-- Each document stands with what decides whether a hit may be shown, so that a common word needs no look at the memories;
-- the documents are stored aside, which keeps the rows that are scanned small.
create table "memory_search" (
  "workspaceId" text not null,
  "memoryId" text not null,
  -- Null for memories whose base audience is the whole workspace.
  "spaceId" text,
  "archived" boolean not null,
  "deleted" boolean not null,
  "created" timestamptz not null,
  -- Folded, for the operator tag:.
  "tags" text[] not null,
  "document" tsvector not null,
  primary key ("workspaceId", "memoryId"),
  foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade
) with (toast_tuple_target = 256);
alter table "memory_search" alter column "document" set storage external;
create index "memory_search_newest" on "memory_search" ("workspaceId", "created" desc);
create index "memory_search_document" on "memory_search" using gin ("document") with (fastupdate = off);
create index "memory_search_tags" on "memory_search" using gin ("tags") with (fastupdate = off);

create function "index_memory"() returns trigger language plpgsql as $$
begin
  insert into "memory_search" ("memoryId", "workspaceId", "spaceId", "archived", "deleted", "created", "tags", "document")
  values (
    new."id", new."workspaceId", new."spaceId", new."archived", new."deletedAt" is not null, new."created",
    array(select "search_fold"("tag") from unnest(new."tags") as "tag"), "search_document"(new))
  on conflict ("workspaceId", "memoryId") do update set "tags" = excluded."tags", "document" = excluded."document";
  return null;
end
$$;
create trigger "index_memory" after insert or update of "title", "tags", "description", "summary", "url", "notes"
  on "memory" for each row execute function "index_memory"();

create function "index_memory_state"() returns trigger language plpgsql as $$
begin
  update "memory_search" set "spaceId" = new."spaceId", "archived" = new."archived", "deleted" = new."deletedAt" is not null
  where "workspaceId" = new."workspaceId" and "memoryId" = new."id";
  return null;
end
$$;
create trigger "index_memory_state" after update of "spaceId", "archived", "deletedAt"
  on "memory" for each row execute function "index_memory_state"();

-- Search by meaning: vectors of the passages of memories, made by an embedding model where the server has one.

-- Each row says that the vectors of a memory are those of its present text. A changed text removes the row, so the
-- memories without one are those that are due.
create sequence "memory_embedding_revision";
create table "memory_embedding" (
  "workspaceId" text not null,
  "memoryId" text not null,
  -- The model: vectors of another one cannot be compared.
  "fingerprint" text not null,
  -- A new number with each writing, so that processes which hold vectors know the old ones.
  "revision" bigint not null default nextval('memory_embedding_revision'),
  primary key ("workspaceId", "memoryId"),
  foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade
);

create table "memory_vector" (
  "workspaceId" text not null,
  "memoryId" text not null,
  "position" integer not null,
  "fingerprint" text not null,
  -- Of what the model was sent: an unchanged passage is not sent again.
  "contentHash" text not null,
  -- Where the passage stands, and its text as hits show it.
  "field" text not null check ("field" in ('title', 'description', 'summary', 'notes', 'page')),
  "text" text not null,
  -- Of length 1: numbers of four bytes (IEEE 754), the smallest byte first.
  "vector" bytea not null check (octet_length("vector") > 0 and octet_length("vector") % 4 = 0),
  primary key ("workspaceId", "memoryId", "position"),
  foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade
);
-- Numbers do not compress.
alter table "memory_vector" alter column "vector" set storage external;

-- The background work of each workspace.
create table "embedding_work" (
  "workspaceId" text primary key references "workspace" ("id") on delete cascade,
  -- When the queued job is due; null when none waits.
  "dueAt" timestamptz,
  "leaseUntil" timestamptz,
  "leaseJob" text,
  -- Failures of the model in a row.
  "failures" integer not null default 0
);

create function "forget_embedding"() returns trigger language plpgsql as $$
begin
  delete from "memory_embedding" where "workspaceId" = new."workspaceId" and "memoryId" = new."id";
  if new."deletedAt" is not null then
    delete from "memory_vector" where "workspaceId" = new."workspaceId" and "memoryId" = new."id";
  end if;
  return null;
end
$$;
create trigger "forget_embedding"
  after update of "title", "tags", "description", "summary", "notes", "deletedAt" on "memory" for each row
  when ((old."title", old."tags", old."description", old."summary", old."notes", old."deletedAt")
    is distinct from (new."title", new."tags", new."description", new."summary", new."notes", new."deletedAt"))
  execute function "forget_embedding"();
