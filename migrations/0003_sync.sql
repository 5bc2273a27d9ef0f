-- The sync feed: realms with their version, audiences, feed entries, clients and results, and the guard that keeps
-- every write of a synced table inside writeInRealm.
create table "sync_realm" (
  "realmId" text primary key,
  "version" bigint not null default 0,
  "minVersion" bigint not null default 0,
  "epoch" text not null default gen_random_uuid()::text
);

create table "sync_audience_member" (
  "realmId" text not null,
  "audienceId" text not null,
  "userId" text not null,
  primary key ("audienceId", "userId")
);
create index "sync_audience_member_user" on "sync_audience_member" ("userId", "realmId");

create table "sync_entry" (
  "audienceId" text not null,
  "key" text collate "C" not null,
  "realmId" text not null,
  "kind" text not null,
  "entityId" text not null,
  "ver" bigint not null,
  "live" boolean not null,
  "born" bigint not null,
  primary key ("audienceId", "key")
);
create index "sync_entry_delta" on "sync_entry" ("audienceId", "ver");
create index "sync_entry_key" on "sync_entry" ("realmId", "key");
create index "sync_entry_entity" on "sync_entry" ("entityId", "audienceId") where "live";

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
  "ver" bigint not null
);
create index "sync_client_changes" on "sync_client" ("clientGroupId", "ver");

create table "sync_mutation_result" (
  "clientId" text not null,
  "mutationId" bigint not null,
  "userId" text not null,
  "realmId" text not null,
  "name" text not null,
  "args" jsonb,
  "code" text not null,
  "message" text not null,
  "created" timestamptz not null,
  primary key ("clientId", "mutationId")
);

create table "sync_mutation_attempt" (
  "clientId" text not null,
  "mutationId" bigint not null,
  "attempts" integer not null,
  "firstAt" timestamptz not null,
  "lastError" text not null,
  primary key ("clientId", "mutationId")
);

create table "sync_window" (
  "realmId" text not null,
  "userId" text not null,
  "threadId" text not null,
  "openedVer" bigint not null,
  "openedAt" timestamptz not null,
  primary key ("realmId", "userId", "threadId")
);

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
create trigger "sync_guard" before insert or update or delete on "space" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "memory" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "space_memory" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "thread" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "message" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "notification" execute function "sync_guard"();
