-- Which message an answer belongs to. At most one answer to each: a job that is delivered twice writes none twice.
alter table "message" add column "replyTo" text references "message" ("id") on delete cascade;
create unique index "message_reply" on "message" ("replyTo") where "replyTo" is not null;
