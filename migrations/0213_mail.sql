-- Mail: secrets that prove an address, the outbox of servers without SMTP, and addresses that are unique once proven.
create table "email_token" (
  "userId" text not null references "user" ("id") on delete cascade,
  "purpose" text not null check ("purpose" in ('verify', 'reset')),
  -- The address the secret was sent to; it proves no other.
  "email" text not null,
  "tokenHash" text not null unique,
  "expiresAt" timestamptz not null,
  "codeHash" text,
  "codeExpiresAt" timestamptz,
  "codeTries" integer not null default 0,
  -- A new secret replaces the one before.
  primary key ("userId", "purpose")
);
create index "email_token_expiry" on "email_token" ("expiresAt");

create table "mail_outbox" (
  "id" bigint generated always as identity primary key,
  "to" text not null,
  "subject" text not null,
  "text" text not null,
  "html" text not null,
  "created" timestamptz not null
);
create index "mail_outbox_age" on "mail_outbox" ("created");

-- Signing up claims no address. Several unproven accounts may name it; the one that proves it has it.
drop index "user_email";
create unique index "user_verified_email" on "user" (lower("email")) where "emailVerified";
create index "user_email" on "user" (lower("email"));
