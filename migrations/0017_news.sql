-- Product news, and how far their delivery by mail has come.

-- A random name of the row, for links and jobs, which must not carry the address.
alter table "newsletter_signup" add column "id" uuid not null unique default gen_random_uuid();

create table "news" (
  "id" uuid primary key default gen_random_uuid(),
  "title" text not null,
  "body" text not null,
  -- Path of this server.
  "link" text,
  -- The last sign-up for which a mail was queued, in the order of their ids.
  "postedTo" uuid,
  "created" timestamptz not null
);
