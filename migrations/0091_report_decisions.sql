-- What staff decide about reported things: hidden at their address too, and workspaces whose public life has ended.
alter table "hidden_resource" add column "closed" boolean not null default false;

create table "suspended_workspace" (
  "workspaceId" text primary key references "workspace" ("id") on delete cascade,
  "since" timestamptz not null
);

alter table "internal_event" add column "decidedBy" text;
create index "internal_event_open" on "internal_event" ("created") where "decidedAt" is null;
