-- Staff who act as another person, for support: one-time codes, and each time it was done, with its reason.
create table "impersonation_code" (
  "codeHash" text primary key,
  "staffId" text not null references "user" ("id") on delete cascade,
  "userId" text not null references "user" ("id") on delete cascade,
  "reason" text not null,
  "expiresAt" timestamptz not null
);

create table "impersonation" (
  "sessionId" text primary key,
  "staffId" text not null references "user" ("id"),
  "userId" text not null references "user" ("id") on delete cascade,
  "reason" text not null,
  "started" timestamptz not null,
  "endsAt" timestamptz not null,
  -- Null while it runs; set once, with the notice to the person.
  "ended" timestamptz
);
create index "impersonation_open" on "impersonation" ("endsAt") where "ended" is null;
