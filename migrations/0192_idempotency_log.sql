-- A repeated request no longer reserves its key before it writes: the row is inserted by the write's own transaction.
alter table "idempotency_key" drop column "claim";
delete from "idempotency_key" where "status" is null and "writes" = '{}';
