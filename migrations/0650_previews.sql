-- Preview pictures of files. The bytes are in the file store under the id of the upload and this hash.
alter table "upload"
  add column "preview" text,
  -- When a preview was made, or was found to be impossible; null for files that were never looked at.
  add column "previewed" timestamptz;
create index "upload_unpreviewed" on "upload" ("created") where "previewed" is null;
