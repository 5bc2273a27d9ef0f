-- The last message that the public sees of a thread, when its owner has frozen the public view; null = everything.
alter table "thread" add column "publicUntil" text;
