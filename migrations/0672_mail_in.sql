-- The secret addresses that people send mails to, and the mails that came in. An address belongs to a membership and ends
-- with it.
create table "mail_address" (
  "workspaceId" text not null,
  "userId" text not null,
  -- Of the part before the @, by which a mail finds its address.
  "hash" text not null,
  -- The same part, so that it can be shown again; one of the two is null.
  "secret" text,
  "sealedSecret" text,
  "created" timestamptz not null,
  primary key ("workspaceId", "userId"),
  foreign key ("workspaceId", "userId") references "workspace_member" ("workspaceId", "userId") on delete cascade
);
create index "mail_address_hash" on "mail_address" ("hash");

create table "received_mail" (
  "workspaceId" text not null,
  "userId" text not null,
  -- Hash of its Message-ID, or of what is in it.
  "key" text not null,
  "received" timestamptz not null,
  primary key ("workspaceId", "userId", "key"),
  foreign key ("workspaceId", "userId") references "workspace_member" ("workspaceId", "userId") on delete cascade
);
create index "received_mail_age" on "received_mail" ("received");
