-- Requests for early access: stored once for each address, with the wish for news, which counts once it is confirmed by
-- mail, and the approval, whose link creates one account.
alter table "newsletter_signup"
  add column "wantsNews" boolean not null default false,
  add column "newsHash" text unique,
  add column "newsExpiresAt" timestamptz,
  add column "newsConfirmedAt" timestamptz,
  add column "approvedAt" timestamptz,
  add column "inviteHash" text unique,
  add column "inviteExpiresAt" timestamptz,
  add column "joinedAt" timestamptz;
create index "newsletter_signup_waiting" on "newsletter_signup" ("created") where "approvedAt" is null;
