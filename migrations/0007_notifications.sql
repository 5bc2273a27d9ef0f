-- Notifications, what each person wants to hear, and the ways to reach them: mail and web push.

create table "notification" (
  "id" text primary key,
  "userId" text not null references "user" ("id") on delete cascade,
  "workspaceId" text references "workspace" ("id") on delete cascade,
  "category" text not null,
  "triggerId" text not null,
  "title" text not null,
  "body" text not null,
  "priority" text not null,
  "metadata" jsonb not null default '{}',
  "seen" boolean not null default false,
  "status" text not null default 'active' check ("status" in ('active', 'archived')),
  "created" timestamptz not null,
  "updated" timestamptz not null
);
create index "notification_user" on "notification" ("userId", "created" desc);

-- What each person wants to hear, how, and when. No row means the defaults.
create table "notification_setting" (
  "userId" text primary key references "user" ("id") on delete cascade,
  "categories" jsonb not null,
  "triggers" jsonb not null,
  "mutedWorkspaces" text[] not null,
  "digest" text not null check ("digest" in ('off', 'daily', 'weekly')),
  "timezone" text not null,
  -- Null without digest.
  "digestDueAt" timestamptz,
  "updated" timestamptz not null
);
create index "notification_setting_digest" on "notification_setting" ("digestDueAt") where "digestDueAt" is not null;

-- Notifications whose e-mail waits for the digest.
create table "notification_digest_item" (
  "userId" text not null references "user" ("id") on delete cascade,
  "notificationId" text not null,
  "created" timestamptz not null,
  primary key ("userId", "notificationId")
);

-- Web push (RFC 8030, 8291, 8292). A subscription belongs to the session of a browser and ends with it.
create table "push_subscription" (
  "sessionId" text primary key references "session" ("id") on delete cascade,
  "userId" text not null references "user" ("id") on delete cascade,
  "endpoint" text not null,
  "p256dh" text not null,
  "auth" text not null,
  "created" timestamptz not null,
  "lastSentAt" timestamptz
);
-- One browser has one endpoint at a time.
create unique index "push_subscription_endpoint" on "push_subscription" ("endpoint");
create index "push_subscription_user" on "push_subscription" ("userId");

-- The key pair that names this server to push services, made on first use when the configuration has none. The private key
-- is encrypted, or stored as it is where the server has no key: one of the two columns is null.
create table "push_key" (
  "only" boolean primary key default true check ("only"),
  "publicKey" text not null,
  "secret" text,
  "sealedSecret" text,
  "created" timestamptz not null
);

-- The mails of servers without SMTP, which show them at /_outbox.
create table "mail_outbox" (
  "id" bigint generated always as identity primary key,
  "to" text not null,
  "subject" text not null,
  "text" text not null,
  "html" text not null,
  "created" timestamptz not null
);
create index "mail_outbox_age" on "mail_outbox" ("created");
