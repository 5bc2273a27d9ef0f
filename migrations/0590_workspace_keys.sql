-- The rows of a workspace can live together on one server of many: their keys begin with the workspace, and a reference
-- between them leads to a row of the same workspace.

-- Some rows knew their workspace only through another row.
alter table "answer_draft" add column "workspaceId" text;
update "answer_draft" row set "workspaceId" = up."workspaceId" from "message" up where up."id" = row."messageId";
alter table "import_archive" add column "workspaceId" text;
update "import_archive" row set "workspaceId" = up."workspaceId" from "import_job" up where up."id" = row."importId";
alter table "import_change" add column "workspaceId" text;
update "import_change" row set "workspaceId" = up."workspaceId" from "import_job" up where up."id" = row."importId";
alter table "message_rating" add column "workspaceId" text;
update "message_rating" row set "workspaceId" = up."workspaceId" from "message" up where up."id" = row."messageId";
alter table "space_clone" add column "workspaceId" text;
update "space_clone" row set "workspaceId" = up."workspaceId" from "space" up where up."id" = row."spaceId";
alter table "hidden_resource" add column "workspaceId" text;
select set_config('app.sync_version', 'migration', true);
update "hidden_resource" row set "workspaceId" = up."workspaceId" from (
  select "id", "workspaceId" from "space" union all select "id", "workspaceId" from "thread") up
where up."id" = row."resourceId";
-- What was removed for good needs to be hidden no more.
delete from "hidden_resource" where "workspaceId" is null;

-- References by id alone.
alter table "memory" drop constraint "memory_spaceId_fkey";
alter table "space_memory" drop constraint "space_memory_memoryId_fkey", drop constraint "space_memory_spaceId_fkey";
alter table "message" drop constraint "message_replyTo_fkey", drop constraint "message_threadId_fkey";
alter table "memory_search" drop constraint "memory_search_memoryId_fkey";
alter table "import_archive" drop constraint "import_archive_importId_fkey";
alter table "import_item" drop constraint "import_item_memoryId_fkey";
alter table "import_change" drop constraint "import_change_importId_fkey";
alter table "space_clone" drop constraint "space_clone_spaceId_fkey";
alter table "memory_alias" drop constraint "memory_alias_memoryId_fkey";
alter table "message_rating" drop constraint "message_rating_messageId_fkey";
alter table "sync_space_audience" drop constraint "sync_space_audience_spaceId_fkey";
alter table "memory_page" drop constraint "memory_page_memoryId_fkey";
alter table "visitor_thread" drop constraint "visitor_thread_threadId_fkey";
alter table "answer_draft" drop constraint "answer_draft_messageId_fkey", drop constraint "answer_draft_threadId_fkey";

-- Primary keys. Devices choose the ids of spaces, memories, threads and messages: these stay unique in the whole
-- installation by an index of their own, which answers a taken id with a conflict.
alter table "space" drop constraint "space_pkey", add primary key ("workspaceId", "id"), add unique ("id");
alter table "memory" drop constraint "memory_pkey", add primary key ("workspaceId", "id"), add unique ("id");
alter table "thread" drop constraint "thread_pkey", add primary key ("workspaceId", "id"), add unique ("id");
alter table "message" drop constraint "message_pkey", add primary key ("workspaceId", "id"), add unique ("id");
alter table "memory_alias" drop constraint "memory_alias_pkey", add primary key ("workspaceId", "id"), add unique ("id");
alter table "workspace_member" drop constraint "workspace_member_pkey", add primary key ("workspaceId", "id");
alter table "space_memory" drop constraint "space_memory_pkey", add primary key ("workspaceId", "spaceId", "memoryId");
alter table "api_key" drop constraint "api_key_pkey", add primary key ("workspaceId", "id");
alter table "invite" drop constraint "invite_pkey", add primary key ("workspaceId", "id");
alter table "import_job" drop constraint "import_job_pkey", add primary key ("workspaceId", "id");
alter table "import_archive" drop constraint "import_archive_pkey", add primary key ("workspaceId", "importId", "seq");
alter table "import_change" drop constraint "import_change_pkey", add primary key ("workspaceId", "importId", "seq");
alter table "memory_search" drop constraint "memory_search_pkey", add primary key ("workspaceId", "memoryId");
alter table "message_rating" drop constraint "message_rating_pkey", add primary key ("workspaceId", "id"),
  drop constraint "message_rating_messageId_rater_key", add unique ("workspaceId", "messageId", "rater");
alter table "space_clone" drop constraint "space_clone_pkey", add primary key ("workspaceId", "spaceId");
alter table "hidden_resource" drop constraint "hidden_resource_pkey", add primary key ("workspaceId", "resourceId");
alter table "visitor_thread" drop constraint "visitor_thread_pkey", add primary key ("workspaceId", "threadId");
alter table "answer_draft" drop constraint "answer_draft_pkey", add primary key ("workspaceId", "messageId");
drop index "message_reply";
create unique index "message_reply" on "message" ("workspaceId", "replyTo") where "replyTo" is not null;

-- The feed names a realm: a workspace, or the account of a person.
alter table "sync_audience_member" drop constraint "sync_audience_member_pkey",
  add primary key ("realmId", "audienceId", "userId");
alter table "sync_entry" drop constraint "sync_entry_pkey", add primary key ("realmId", "audienceId", "key");
alter table "sync_space_audience" drop constraint "sync_space_audience_pkey", add primary key ("realmId", "spaceId");

-- References inside the workspace.
alter table "memory" add foreign key ("workspaceId", "spaceId") references "space" ("workspaceId", "id")
  on delete set null ("spaceId");
alter table "space_memory"
  add foreign key ("workspaceId", "spaceId") references "space" ("workspaceId", "id") on delete cascade,
  add foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade;
alter table "message"
  add foreign key ("workspaceId", "threadId") references "thread" ("workspaceId", "id") on delete cascade,
  add foreign key ("workspaceId", "replyTo") references "message" ("workspaceId", "id") on delete cascade;
alter table "memory_search"
  add foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade;
alter table "import_archive"
  add foreign key ("workspaceId", "importId") references "import_job" ("workspaceId", "id") on delete cascade;
alter table "import_change"
  add foreign key ("workspaceId", "importId") references "import_job" ("workspaceId", "id") on delete cascade;
alter table "import_item"
  add foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade;
alter table "space_clone"
  add foreign key ("workspaceId", "spaceId") references "space" ("workspaceId", "id") on delete cascade;
alter table "memory_alias"
  add foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade;
alter table "message_rating"
  add foreign key ("workspaceId", "messageId") references "message" ("workspaceId", "id") on delete cascade;
alter table "sync_space_audience"
  add foreign key ("realmId", "spaceId") references "space" ("workspaceId", "id") on delete cascade;
alter table "memory_page"
  add foreign key ("workspaceId", "memoryId") references "memory" ("workspaceId", "id") on delete cascade;
alter table "visitor_thread"
  add foreign key ("workspaceId", "threadId") references "thread" ("workspaceId", "id") on delete cascade;
alter table "answer_draft"
  add foreign key ("workspaceId", "messageId") references "message" ("workspaceId", "id") on delete cascade,
  add foreign key ("workspaceId", "threadId") references "thread" ("workspaceId", "id") on delete cascade;

-- The new keys serve for these.
drop index "memory_page_memory";
drop index "sync_space_audience_realm";
drop index "visitor_thread_workspace";

-- The same for what triggers do.
create or replace function "index_memory"() returns trigger language plpgsql as $$
begin
  insert into "memory_search" ("memoryId", "workspaceId", "spaceId", "archived", "deleted", "created", "tags", "document")
  values (
    new."id", new."workspaceId", new."spaceId", new."archived", new."deletedAt" is not null, new."created",
    array(select "search_fold"("tag") from unnest(new."tags") as "tag"), "search_document"(new))
  on conflict ("workspaceId", "memoryId") do update set "tags" = excluded."tags", "document" = excluded."document";
  return null;
end
$$;

create or replace function "index_memory_state"() returns trigger language plpgsql as $$
begin
  update "memory_search" set "spaceId" = new."spaceId", "archived" = new."archived", "deleted" = new."deletedAt" is not null
  where "workspaceId" = new."workspaceId" and "memoryId" = new."id";
  return null;
end
$$;

create function "is_text_published"(workspace_id text, memory_id text) returns boolean language sql stable as $$
  select exists (
    select 1 from "space_memory" link
    join "space" on "space"."workspaceId" = link."workspaceId" and "space"."id" = link."spaceId"
    where link."workspaceId" = workspace_id and link."memoryId" = memory_id
      and "space"."publishText" and "space"."deletedAt" is null and "space"."visibility" in ('public', 'unlisted'))
$$;

create or replace function "memory_public_updated"() returns trigger language plpgsql as $$
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
drop function "is_text_published"(text);
