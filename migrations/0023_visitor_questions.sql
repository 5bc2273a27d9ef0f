-- Visitors may ask the public spaces of a new workspace: the answer quotes what they show, and costs nothing. Existing workspaces
-- keep their setting.

alter table "workspace" alter column "publicChat" set default true;
