-- Icons of the sites of saved links, for all workspaces. A row is found by the hash of its address and names neither the site
-- nor who has saved a page of it.
create table "site_icon" (
  -- SHA-256 of the address in hexadecimal.
  "hash" text primary key,
  -- WebP; null where the site has none that can be had.
  "picture" bytea,
  "fetched" timestamptz not null
);
create index "site_icon_fetched" on "site_icon" ("fetched");
