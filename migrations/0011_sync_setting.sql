-- The small facts of sync that all processes share: the key of cookies, and when the feed was last cleaned.
alter table "sync_secret" rename to "sync_setting";
