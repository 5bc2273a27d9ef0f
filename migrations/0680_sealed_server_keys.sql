-- The private keys of the server itself are encrypted like other secrets; one of the two columns is null.
alter table "oauth_signing_key"
  alter column "privateKey" type text using "privateKey"::text,
  alter column "privateKey" drop not null,
  add column "sealedSecret" text;
alter table "oauth_signing_key" rename column "privateKey" to "secret";
alter table "push_key"
  alter column "privateKey" drop not null,
  add column "sealedSecret" text;
alter table "push_key" rename column "privateKey" to "secret";
