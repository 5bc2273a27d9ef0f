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

create function "forget_embedding_of_page"() returns trigger language plpgsql as $$
begin
  -- Waits for a job that is storing the vectors of the former text.
  perform 1 from "memory" where "workspaceId" = new."workspaceId" and "id" = new."memoryId" for no key update;
  delete from "memory_embedding" where "workspaceId" = new."workspaceId" and "memoryId" = new."memoryId";
  return null;
end
$$;
create trigger "forget_embedding_of_new_page" after insert on "memory_page" for each row
  when (new."text" is not null) execute function "forget_embedding_of_page"();
create trigger "forget_embedding_of_page" after update of "text" on "memory_page" for each row
  when (old."text" is distinct from new."text") execute function "forget_embedding_of_page"();

-- What the embedding model was asked; "calls" and the other tokens are those of answers.
alter table "model_usage" add column "embeddingCalls" integer not null default 0,
  add column "embeddingTokens" bigint not null default 0;
