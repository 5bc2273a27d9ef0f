-- When the person behind a session last gave the password again; null when only at the log-in.
alter table "session" add column "confirmed" timestamptz;
