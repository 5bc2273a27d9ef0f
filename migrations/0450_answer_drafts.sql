-- Answers while a language model writes them. Every node shows its readers what stands here; the finished answer is a
-- message like any other, and takes its draft away.
create table "answer_draft" (
  -- The message that is being answered.
  "messageId" text primary key references "message" ("id") on delete cascade,
  "threadId" text not null references "thread" ("id") on delete cascade,
  -- The id that the finished answer will have; null while it has not begun.
  "replyId" text,
  -- Counts the servers that began it: what an earlier one still writes is not kept.
  "attempt" integer not null default 0,
  -- Whose access limited what the model was given.
  "reach" text not null default 'person',
  -- The memories that the model was given passages of.
  "memoryIds" text[] not null default '{}',
  "text" text not null default '',
  -- The person who asked wants no more of it.
  "stopped" boolean not null default false
);
create index "answer_draft_thread" on "answer_draft" ("threadId");
