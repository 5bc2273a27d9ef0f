-- Webhooks of a workspace and the log of what was sent to them.
create table "webhook" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null,
  -- Whose sight of the workspace is sent: the member who last chose the address.
  "ownerId" text not null references "user" ("id"),
  "url" text not null,
  "description" text,
  -- Empty means every event.
  "events" text[] not null,
  -- Encrypted, or as it is where the server has no key.
  "secret" text,
  "sealedSecret" text,
  "enabled" boolean not null,
  "disabledReason" text,
  -- Up to where changes were turned into deliveries.
  "cursor" text not null,
  "failingSince" timestamptz,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "id"),
  constraint "webhook_one_secret" check (("secret" is null) <> ("sealedSecret" is null))
);

create table "webhook_delivery" (
  "workspaceId" text not null,
  "id" text not null,
  "webhookId" text not null,
  "ownerId" text not null,
  "event" text not null,
  "payload" text not null,
  "status" text not null,
  "attempts" integer not null default 0,
  "httpStatus" integer,
  "error" text,
  "nextAt" timestamptz,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "id"),
  foreign key ("workspaceId", "webhookId") references "webhook" ("workspaceId", "id") on delete cascade
);
create index "webhook_delivery_log" on "webhook_delivery" ("workspaceId", "webhookId", "created");
create index "webhook_delivery_age" on "webhook_delivery" ("created");
