-- The public site: requests for early access, reports and what staff decide about them, and visits.

-- An address is stored once, with the wish for news, which counts once it is confirmed by mail, and the approval, whose
-- link creates one account. Those that were declined wait no more and are still known, so that asking again changes nothing.
create table "newsletter_signup" (
  "email" text primary key,
  "wantsNews" boolean not null default false,
  "newsHash" text unique,
  "newsExpiresAt" timestamptz,
  "newsConfirmedAt" timestamptz,
  "approvedAt" timestamptz,
  "declinedAt" timestamptz,
  "inviteHash" text unique,
  "inviteExpiresAt" timestamptz,
  "joinedAt" timestamptz,
  "created" timestamptz not null
);
create index "newsletter_signup_waiting" on "newsletter_signup" ("created")
  where "approvedAt" is null and "declinedAt" is null;

-- Reports about public spaces and threads.
create table "internal_event" (
  "id" text primary key,
  "kind" text not null,
  "resourceId" text not null,
  "reason" text not null,
  "details" text,
  "email" text,
  -- Hash that tells reporters apart for a day; no address is kept.
  "reporter" text not null,
  "decidedAt" timestamptz,
  "decidedBy" text,
  "decision" text,
  "created" timestamptz not null
);
create index "internal_event_resource" on "internal_event" ("resourceId", "created");
create index "internal_event_open" on "internal_event" ("created") where "decidedAt" is null;

-- What reports have hidden from lists, and decisions at its address too.
create table "hidden_resource" (
  "workspaceId" text not null,
  "resourceId" text not null,
  "since" timestamptz not null,
  "closed" boolean not null default false,
  primary key ("workspaceId", "resourceId")
);

-- Workspaces whose public life has ended.
create table "suspended_workspace" (
  "workspaceId" text primary key references "workspace" ("id") on delete cascade,
  "since" timestamptz not null
);

create table "public_visit" (
  "resourceId" text not null,
  "day" date not null,
  "visitor" text not null,
  primary key ("resourceId", "day", "visitor")
);
create index "public_visit_day" on "public_visit" ("day");

-- All processes hash a day's visitors with the same salt. It is deleted after its day, and the hashes lead nowhere.
create table "visitor_salt" (
  "day" date primary key,
  "salt" text not null
);
