-- What a space or thread lets a person, an address or a position do with it, beyond what its visibility says for all.
create table "grant" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "resourceId" text not null,
  "holder" text not null,
  "userId" text,
  "level" text not null check ("level" in ('read', 'write')),
  "createdBy" text not null,
  "created" timestamptz not null,
  primary key ("workspaceId", "resourceId", "holder")
);
create index "grant_user" on "grant" ("workspaceId", "userId");
create index "grant_account" on "grant" ("userId") where "userId" is not null;
create index "grant_unbound" on "grant" ("holder") where "userId" is null and "holder" like '%@%';
create trigger "sync_guard" before insert or update or delete on "grant" execute function "sync_guard"();

-- When a mail about a shared space or thread went to an address last, so that granting again and again sends none.
create table "grant_mail" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "resourceId" text not null,
  "email" text not null,
  "sentBy" text not null,
  "sent" timestamptz not null,
  primary key ("workspaceId", "resourceId", "email")
);
create index "grant_mail_sender" on "grant_mail" ("workspaceId", "sentBy", "sent");

-- A large space that is or was open to people outside the workspace has an audience of them too.
alter table "sync_space_audience" add column "hasOutside" boolean not null default false;

-- These values are enforced from now on, where the owner alone read before: the feed of such things is settled by the
-- clean-up task.
create table "sync_unsettled_place" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "placeId" text not null,
  primary key ("workspaceId", "placeId")
);
insert into "sync_unsettled_place" ("workspaceId", "placeId")
select "workspaceId", "id" from "space" where "visibility" in ('private_and_guests', 'custom', 'workspace_and_guests', 'internal')
union all select "workspaceId", "id" from "thread" where "visibility" in ('private_and_guests', 'custom', 'workspace_and_guests', 'internal');
create index "user_domain" on "user" ("domain") where "emailVerified" and not "personal";
