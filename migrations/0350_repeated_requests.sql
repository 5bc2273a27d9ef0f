-- Answers are stored for callers without an account too, and those with a secret are encrypted under the request's own key.
alter table "idempotency_key" drop constraint "idempotency_key_userId_fkey";
alter table "idempotency_key" rename column "userId" to "caller";
delete from "idempotency_key";
