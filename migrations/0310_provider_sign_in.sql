-- Signing in with an identity provider: the requests that are under way, and what a provider has proven about a person who
-- has not used it yet. Both live for minutes.
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
