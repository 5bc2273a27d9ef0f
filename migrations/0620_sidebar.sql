-- How one person has arranged the spaces of one workspace: of no interest to anybody else.
create table "sidebar" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "userId" text not null,
  "pinned" text[] not null default '{}',
  "order" text[] not null default '{}',
  "collapsed" text[] not null default '{}',
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "userId")
);
create trigger "sync_guard" before insert or update or delete on "sidebar" execute function "sync_guard"();
