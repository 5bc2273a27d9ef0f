-- Whether visitors of a public space read the text of its notes. Spaces that are public today showed titles only, so
-- they keep doing so until their owner decides.
alter table "space" add column "publishText" boolean not null default true;
alter table "space" alter column "publishText" drop default;

select set_config('app.sync_version', 'migration', true);
update "space" set "publishText" = false where "visibility" in ('public', 'unlisted');
-- A replica takes a field that it lacks for the default, which is wrong for these spaces: they are sent once more.
with realm as (
  update "sync_realm" set "version" = "version" + 1
  where "realmId" in (select "workspaceId" from "space" where not "publishText")
  returning "realmId", "version"
)
update "sync_entry" entry set "ver" = realm."version" from realm
where entry."realmId" = realm."realmId" and entry."kind" = 'space' and entry."live"
  and entry."entityId" in (select "id" from "space" where not "publishText");

-- Whether visitors may read the text of this note: it stands in a public or unlisted space that publishes texts.
create function "is_text_published"(memory_id text) returns boolean language sql stable as $$
  select exists (
    select 1 from "space_memory" link join "space" on "space"."id" = link."spaceId"
    where link."memoryId" = memory_id and "space"."publishText" and "space"."deletedAt" is null
      and "space"."visibility" in ('public', 'unlisted'))
$$;

-- The date that visitors see moves with what they read, so with the notes only where these are published.
create or replace function "memory_public_updated"() returns trigger language plpgsql as $$
begin
  if (old."type", old."title", old."description", old."summary", old."url", old."tags", old."screenshot",
      old."filename", old."contentStatus")
    is distinct from (new."type", new."title", new."description", new."summary", new."url", new."tags",
      new."screenshot", new."filename", new."contentStatus")
    or (new."type" = 'note' and old."notes" is distinct from new."notes" and "is_text_published"(new."id")) then
    new."publicUpdated" := new."updated";
  end if;
  return new;
end
$$;
drop trigger "memory_public_updated" on "memory";
create trigger "memory_public_updated" before update on "memory" for each row execute function "memory_public_updated"();
