-- Accounts: people, their passwords and their sessions.
create table "user" (
  "id" text primary key,
  "source" text not null check ("source" in ('email', 'github', 'google')),
  "githubId" text unique,
  "googleId" text unique,
  "forename" text,
  "username" text,
  "surname" text,
  "email" text not null,
  "domain" text not null,
  "personal" boolean not null,
  "emailVerified" boolean not null default false,
  "created" timestamptz not null,
  "updated" timestamptz not null
);
create unique index "user_email" on "user" (lower("email"));
create unique index "user_username" on "user" (lower("username"));

-- PHC string of Argon2id; a user of an identity provider has no row.
create table "user_password" (
  "userId" text primary key references "user" ("id") on delete cascade,
  "hash" text not null,
  "updated" timestamptz not null
);

create table "session" (
  "id" text primary key,
  "tokenHash" text not null unique,
  "userId" text not null references "user" ("id") on delete cascade,
  "impersonator" text references "user" ("id") on delete cascade,
  "userAgent" text not null,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "expiresAt" timestamptz not null,
  "endsAt" timestamptz not null
);
create index "session_user" on "session" ("userId");
create index "session_expiry" on "session" ("expiresAt");
