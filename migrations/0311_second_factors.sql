-- Passkeys, authenticator apps and recovery codes.
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

create table "authenticator_app" (
  "userId" text primary key references "user" ("id") on delete cascade,
  -- Codes are computed from it, so no hash would do.
  "secret" text not null,
  -- Null until the first code proves that the app has the secret.
  "enabledAt" timestamptz,
  -- Number of the latest time step whose code was used: no code works twice.
  "lastStep" bigint not null default 0
);

create table "recovery_code" (
  "userId" text not null references "user" ("id") on delete cascade,
  "codeHash" text not null,
  primary key ("userId", "codeHash")
);
