-- Accounts: people, how they prove who they are, and their sessions.

-- Signing up claims no address. Several unproven accounts may name it; the one that proves it has it.
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
  -- When the person closed the list of first steps.
  "checklistClosedAt" timestamptz,
  "created" timestamptz not null,
  "updated" timestamptz not null
);
create unique index "user_verified_email" on "user" (lower("email")) where "emailVerified";
create index "user_email" on "user" (lower("email"));
create unique index "user_username" on "user" (lower("username"));
create index "user_domain" on "user" ("domain") where "emailVerified" and not "personal";

-- PHC string of Argon2id; a user of an identity provider has no row.
create table "user_password" (
  "userId" text primary key references "user" ("id") on delete cascade,
  "hash" text not null,
  "updated" timestamptz not null
);

-- Accounts that asked to be deleted; signing in again before the date takes the wish back.
create table "account_deletion" (
  "userId" text primary key references "user" ("id") on delete cascade,
  "requested" timestamptz not null,
  "purgeAfter" timestamptz not null
);

-- Log-ins that last; the secret is in the browser's cookie, here only its hash.
create table "session" (
  "id" text primary key,
  "tokenHash" text not null unique,
  "userId" text not null references "user" ("id") on delete cascade,
  "impersonator" text references "user" ("id") on delete cascade,
  "userAgent" text not null,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "expiresAt" timestamptz not null,
  "endsAt" timestamptz not null,
  -- When the person last gave the password again; null when only at the log-in.
  "confirmed" timestamptz
);
create index "session_user" on "session" ("userId");
create index "session_expiry" on "session" ("expiresAt");

-- The end of a session reaches every node, whatever ended it, so that its open streams end at once.
create function "notify_session_end"() returns trigger language plpgsql as $$
begin
  perform pg_notify('loci_session_end', "id") from "gone";
  return null;
end
$$;
create trigger "session_end" after delete on "session"
  referencing old table as "gone" for each statement execute function "notify_session_end"();

-- Devices from which a person has logged in; a name such as "Firefox on Linux" stands for a device.
create table "login_device" (
  "userId" text not null references "user" ("id") on delete cascade,
  "device" text not null,
  "created" timestamptz not null,
  "lastSeen" timestamptz not null,
  primary key ("userId", "device")
);

-- Secrets that were mailed to prove an address.
create table "email_token" (
  "userId" text not null references "user" ("id") on delete cascade,
  "purpose" text not null check ("purpose" in ('verify', 'reset', 'change', 'restore')),
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

-- Changes of addresses: the new one counts once it is proven, and the old one can take the account back for a while.
create table "email_change" (
  "userId" text primary key references "user" ("id") on delete cascade,
  "email" text not null,
  "requested" timestamptz not null
);
create index "email_change_age" on "email_change" ("requested");

-- Log-ins at an identity provider that are under way; they live for minutes.
create table "provider_request" (
  "stateHash" text primary key,
  "provider" text not null check ("provider" in ('github', 'google')),
  -- Of the cookie in the browser that began; the answer counts in no other one.
  "browserHash" text not null,
  "codeVerifier" text not null,
  "nonce" text not null,
  -- SHA-256 of a secret that the page keeps; null when the caller has none.
  "challenge" text,
  "expiresAt" timestamptz not null
);
create index "provider_request_expiry" on "provider_request" ("expiresAt");

-- What a provider has proven about a person who has not used it yet.
create table "provider_proof" (
  "codeHash" text primary key,
  "provider" text not null check ("provider" in ('github', 'google')),
  "subject" text not null,
  "email" text,
  "emailVerified" boolean not null,
  "forename" text,
  "surname" text,
  "challenge" text,
  -- The person was given more time, once, to type the code of a second factor.
  "extended" boolean not null default false,
  "expiresAt" timestamptz not null
);
create index "provider_proof_expiry" on "provider_proof" ("expiresAt");

-- Passkeys of people (WebAuthn).
create table "passkey" (
  "id" text primary key,
  "userId" text not null references "user" ("id") on delete cascade,
  -- Of the authenticator, base64url.
  "credentialId" text not null unique,
  "publicKey" text not null,
  "counter" bigint not null,
  "transports" text[] not null,
  -- The passkey is copied between devices by the person's password manager.
  "backedUp" boolean not null,
  "name" text not null,
  "created" timestamptz not null,
  "lastUsedAt" timestamptz
);
create index "passkey_user" on "passkey" ("userId");

-- Each challenge is answered once.
create table "webauthn_challenge" (
  "challengeHash" text primary key,
  "purpose" text not null check ("purpose" in ('register', 'login', 'confirm')),
  -- Null before the person is known.
  "userId" text references "user" ("id") on delete cascade,
  "expiresAt" timestamptz not null
);
create index "webauthn_challenge_expiry" on "webauthn_challenge" ("expiresAt");

-- Apps that show codes. The codes are computed from the secret, so no hash would do: it is encrypted, or stored as it is
-- where the server has no key.
create table "authenticator_app" (
  "userId" text primary key references "user" ("id") on delete cascade,
  "secret" text,
  "sealedSecret" text,
  -- Null until the first code proves that the app has the secret.
  "enabledAt" timestamptz,
  -- Number of the latest time step whose code was used: no code works twice.
  "lastStep" bigint not null default 0,
  constraint "authenticator_app_one_secret" check (("secret" is null) <> ("sealedSecret" is null))
);

-- Codes for people who have lost their authenticator app; each works once.
create table "recovery_code" (
  "userId" text not null references "user" ("id") on delete cascade,
  "codeHash" text not null,
  primary key ("userId", "codeHash")
);

-- One-time codes by which staff become another person, for support.
create table "impersonation_code" (
  "codeHash" text primary key,
  "staffId" text not null references "user" ("id") on delete cascade,
  "userId" text not null references "user" ("id") on delete cascade,
  "reason" text not null,
  "expiresAt" timestamptz not null
);

-- Each time that staff acted as another person, with the reason.
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
