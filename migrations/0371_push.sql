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

-- The key pair that names this server to push services, made on first use when the configuration has none.
create table "push_key" (
  "only" boolean primary key default true check ("only"),
  "publicKey" text not null,
  "privateKey" text not null,
  "created" timestamptz not null
);
