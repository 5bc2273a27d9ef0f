-- The sync feed. A realm is a workspace or the account of a person; an audience is a set of people in it; an entry says
-- that an audience reads a row, or read it once.

create table "sync_realm" (
  "realmId" text primary key,
  "version" bigint not null default 0,
  "minVersion" bigint not null default 0,
  "epoch" text not null default gen_random_uuid()::text,
  "updated" timestamptz not null default now()
);

-- The version a realm had at a time; tells how far tombstones may be collected.
create table "sync_version_mark" (
  "realmId" text not null,
  "at" timestamptz not null,
  "version" bigint not null,
  primary key ("realmId", "at")
);

create table "sync_audience_member" (
  "realmId" text not null,
  "audienceId" text not null,
  "userId" text not null,
  primary key ("realmId", "audienceId", "userId")
);
create index "sync_audience_member_user" on "sync_audience_member" ("userId", "realmId");

-- A space of many memories has audiences of its own, so that showing it to others or hiding it changes who is in them and
-- no entry of the feed.
create table "sync_space_audience" (
  "realmId" text not null,
  "spaceId" text not null,
  -- It is or was open to people outside the workspace, and has an audience of them too.
  "hasOutside" boolean not null default false,
  primary key ("realmId", "spaceId"),
  foreign key ("realmId", "spaceId") references "space" ("workspaceId", "id") on delete cascade
);

create table "sync_entry" (
  "realmId" text not null,
  "audienceId" text not null,
  "key" text collate "C" not null,
  "kind" text not null,
  "entityId" text not null,
  "ver" bigint not null,
  "live" boolean not null,
  -- An entry may live several times. "born" is the version of its first life; "since" and "gone" say when the present or
  -- last one began and when the one before it ended, so that a deletion is sent only to replicas that may have the row.
  -- Null means that there was one life only.
  "born" bigint not null,
  "since" bigint,
  "gone" bigint,
  primary key ("realmId", "audienceId", "key")
);
create index "sync_entry_delta" on "sync_entry" ("audienceId", "ver");
create index "sync_entry_entity" on "sync_entry" ("entityId", "audienceId") where "live";
-- Every entry that a write changes goes into every index, under the lock of its workspace. Pulls look keys up by audience,
-- so what an index by realm is for is the removal of old tombstones, and only those stand in it.
create index "sync_entry_dead" on "sync_entry" ("realmId", "ver") where not "live";

-- Replicas, by the group of tabs that share one.
create table "sync_client_group" (
  "id" text primary key,
  "userId" text not null,
  "realmId" text not null,
  "schemaVersion" text not null,
  "lastSeen" timestamptz not null
);
create index "sync_client_group_seen" on "sync_client_group" ("lastSeen");

create table "sync_client" (
  "id" text primary key,
  "clientGroupId" text not null references "sync_client_group" ("id") on delete cascade,
  "lastMutationId" bigint not null,
  "ver" bigint not null,
  -- Clients of a living group have an age of their own.
  "lastSeen" timestamptz not null
);
create index "sync_client_changes" on "sync_client" ("clientGroupId", "ver");
create index "sync_client_seen" on "sync_client" ("lastSeen");

-- Refused mutations, which their author is told of. Those whose author has lost the workspace lie in the author's account
-- realm and name the workspace.
create table "sync_mutation_result" (
  "clientId" text not null,
  "mutationId" bigint not null,
  "userId" text not null,
  "realmId" text not null,
  "workspaceId" text,
  "name" text not null,
  "args" jsonb,
  "code" text not null,
  "message" text not null,
  "created" timestamptz not null,
  primary key ("clientId", "mutationId")
);

-- Pushed mutations that failed for a reason of the server, and for how long.
create table "sync_mutation_attempt" (
  "clientId" text not null,
  "mutationId" bigint not null,
  "attempts" integer not null,
  "firstAt" timestamptz not null,
  "lastAt" timestamptz not null,
  "lastError" text not null,
  primary key ("clientId", "mutationId")
);

-- Threads that a person has opened: their messages are sent whole.
create table "sync_window" (
  "realmId" text not null,
  "userId" text not null,
  "threadId" text not null,
  "openedVer" bigint not null,
  "openedAt" timestamptz not null,
  primary key ("realmId", "userId", "threadId")
);

-- The small facts that all processes share: the keys that this server makes for itself, and when the feed was last cleaned.
create table "sync_setting" (
  "name" text primary key,
  "value" text not null
);

-- Memories that left their home space, for clients limited to chosen spaces: by the version a client has read it is known
-- whether it has to be told. The feed of the workspace says that the memory changed, and not where it was before.
create table "memory_departure" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "spaceId" text not null,
  "memoryId" text not null,
  "ver" bigint not null,
  primary key ("workspaceId", "spaceId", "memoryId")
);

create function "note_departure"() returns trigger language plpgsql as $$
begin
  insert into "memory_departure" ("workspaceId", "spaceId", "memoryId", "ver")
  select old."workspaceId", old."spaceId", old."id", "version" from "sync_realm" where "realmId" = old."workspaceId"
  on conflict ("workspaceId", "spaceId", "memoryId") do update set "ver" = excluded."ver";
  return null;
end
$$;
create trigger "note_move" after update of "spaceId" on "memory" for each row
  when (old."spaceId" is not null and old."spaceId" is distinct from new."spaceId") execute function "note_departure"();
create trigger "note_removal" after delete on "memory" for each row
  when (old."spaceId" is not null) execute function "note_departure"();

-- Every write of a synced table goes through writeInRealm, which sets the version that the write gets.
create function "sync_guard"() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('app.sync_version', true), '') = '' then
    raise exception 'write to % outside writeInRealm', tg_table_name using errcode = 'LO001';
  end if;
  return null;
end
$$;

create trigger "sync_guard" before insert or update or delete on "workspace" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "workspace_member" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "sidebar" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "space" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "grant" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "memory" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "space_memory" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "thread" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "message" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "notification" execute function "sync_guard"();
-- What reports and decisions hide is part of what the public reads, so it changes only together with the version of its
-- workspace: stored pages are served while that version is the same.
create trigger "sync_guard" before insert or update or delete on "hidden_resource" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "suspended_workspace" execute function "sync_guard"();
