-- Refusals whose author has lost the workspace lie in the author's account realm and name the workspace; failures of
-- pushed mutations know how long they went on; clients of a living group have an age of their own.
alter table "sync_mutation_result" add column "workspaceId" text;

alter table "sync_mutation_attempt" add column "lastAt" timestamptz not null default now();

alter table "sync_client" add column "lastSeen" timestamptz not null default now();
create index "sync_client_seen" on "sync_client" ("lastSeen");
