-- Sign-up used to store every address as verified, without any proof. None has been proven since, so none is, and the
-- domains that workspaces took from such addresses are claims without proof as well.
update "user" set "emailVerified" = false where "emailVerified";

select set_config('app.sync_version', 'migration', true);
update "workspace" set "domain" = null where "domain" is not null;
-- Replicas hold workspaces: what changed is sent to them like any other change.
with realm as (
  update "sync_realm" set "version" = "version" + 1
  where "realmId" in (select "realmId" from "sync_entry" where "kind" = 'workspace' and "live")
  returning "realmId", "version"
)
update "sync_entry" entry set "ver" = realm."version" from realm
where entry."realmId" = realm."realmId" and entry."kind" = 'workspace' and entry."live";
