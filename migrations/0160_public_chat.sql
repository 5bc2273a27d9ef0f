-- Whether visitors may ask the public spaces of a workspace. Off until its owner or an admin turns it on.
alter table "workspace" add column "publicChat" boolean not null default false;
