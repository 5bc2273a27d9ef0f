-- Secrets of webhooks and authenticator apps are stored encrypted. What was stored before stays readable until the server,
-- which has the key, has encrypted it.
alter table "webhook" alter column "secret" drop not null;
alter table "webhook" add column "sealedSecret" text;
alter table "webhook" add constraint "webhook_one_secret" check (("secret" is null) <> ("sealedSecret" is null));

alter table "authenticator_app" alter column "secret" drop not null;
alter table "authenticator_app" add column "sealedSecret" text;
alter table "authenticator_app"
  add constraint "authenticator_app_one_secret" check (("secret" is null) <> ("sealedSecret" is null));
