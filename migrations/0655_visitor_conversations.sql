-- Visitors may go on asking in the thread that they began. It belongs to the holder of a key, of which only the hash is
-- stored; threads from before have none and take no further questions.
alter table "visitor_thread" add column "keyHash" text;
