-- What happened in a workspace that its owners must be able to look up. Rows are added and, after a year, removed; none
-- is ever changed. Names are those of the time, because people and things may be gone when an owner reads.
create table "audit_event" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null,
  -- Events of one moment keep the order in which they happened.
  "seq" bigint generated always as identity,
  "action" text not null,
  "actorId" text,
  "actorName" text,
  -- The member of staff who acted as the actor; never shown to owners by name.
  "impersonatorId" text,
  "via" text not null check ("via" in ('session', 'api_key', 'oauth_token', 'system')),
  "targetKind" text,
  "targetId" text,
  "targetName" text,
  "details" jsonb not null,
  "address" text,
  "userAgent" text,
  "created" timestamptz not null,
  primary key ("workspaceId", "id")
);
create index "audit_event_order" on "audit_event" ("workspaceId", "created" desc, "seq" desc);
create index "audit_event_age" on "audit_event" ("created");

create function "refuse_update"() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end
$$;
create trigger "audit_event_fixed" before update on "audit_event" for each row execute function "refuse_update"();
