-- What reports and decisions hide is part of what the public reads, so it changes only together with the version of its
-- workspace: stored pages are served while that version is the same.
create trigger "sync_guard" before insert or update or delete on "hidden_resource" execute function "sync_guard"();
create trigger "sync_guard" before insert or update or delete on "suspended_workspace" execute function "sync_guard"();
