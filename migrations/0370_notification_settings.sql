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

-- Devices from which a person has logged in; a name such as "Firefox on Linux" stands for a device.
create table "login_device" (
  "userId" text not null references "user" ("id") on delete cascade,
  "device" text not null,
  "created" timestamptz not null,
  "lastSeen" timestamptz not null,
  primary key ("userId", "device")
);
