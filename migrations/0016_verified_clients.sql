-- Owners verify the OAuth clients of their workspace, for its members; the older column is what staff verified for everyone.
alter table "oauth_client" add column "workspaceVerified" boolean not null default false;
