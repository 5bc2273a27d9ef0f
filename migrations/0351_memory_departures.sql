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
