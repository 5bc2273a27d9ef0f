-- Threads with their messages, the answers in them, and what visitors of public spaces ask.

create table "thread" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null unique,
  "ownerId" text not null references "user" ("id"),
  "createdBy" text references "user" ("id"),
  "lastEditedBy" text references "user" ("id"),
  "name" text not null,
  "summary" text,
  "origin" text not null,
  "visibility" text not null,
  -- The last message that the public sees, when the owner has frozen the public view; null = everything.
  "publicUntil" text,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  "deletedAt" timestamptz,
  primary key ("workspaceId", "id")
);
create index "thread_newest" on "thread" ("workspaceId", "created" desc, "id");

create table "message" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "id" text not null unique,
  "threadId" text not null,
  -- The message that this one answers.
  "replyTo" text,
  "role" text not null check ("role" in ('user', 'assistant', 'system')),
  "content" text not null,
  -- The memories that an answer names as its sources, in the order of their numbers: [{"memoryId", "quote"}].
  "citations" jsonb not null default '[]' check (jsonb_typeof("citations") = 'array'),
  "createdBy" text references "user" ("id"),
  "createdAt" timestamptz not null,
  primary key ("workspaceId", "id"),
  foreign key ("workspaceId", "threadId") references "thread" ("workspaceId", "id") on delete cascade,
  foreign key ("workspaceId", "replyTo") references "message" ("workspaceId", "id") on delete cascade
);
create index "message_order" on "message" ("threadId", "createdAt", "id");
-- At most one answer to each message: a job that is delivered twice writes none twice.
create unique index "message_reply" on "message" ("workspaceId", "replyTo") where "replyTo" is not null;
create index "message_text" on "message" using gin ("search_vector"("content")) with (fastupdate = off);

-- What readers think of answers: one rating per person or visitor and message. Only the server knows these rows.
create table "message_rating" (
  "workspaceId" text not null,
  "id" text not null,
  "messageId" text not null,
  -- Id of the user, or a hash that tells visitors apart.
  "rater" text not null,
  "value" smallint not null check ("value" in (-1, 1)),
  "reason" text,
  "comment" text,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  primary key ("workspaceId", "id"),
  unique ("workspaceId", "messageId", "rater"),
  foreign key ("workspaceId", "messageId") references "message" ("workspaceId", "id") on delete cascade
);

-- Answers while a language model writes them. Every node shows its readers what stands here; the finished answer is a
-- message like any other, and takes its draft away.
create table "answer_draft" (
  "workspaceId" text not null,
  -- The message that is being answered.
  "messageId" text not null,
  "threadId" text not null,
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
  "stopped" boolean not null default false,
  primary key ("workspaceId", "messageId"),
  foreign key ("workspaceId", "messageId") references "message" ("workspaceId", "id") on delete cascade,
  foreign key ("workspaceId", "threadId") references "thread" ("workspaceId", "id") on delete cascade
);
create index "answer_draft_thread" on "answer_draft" ("threadId");

-- Who writes the answers of a workspace, where its owners or admins have chosen; without a row the server's own.
create table "answering_setting" (
  "workspaceId" text primary key references "workspace" ("id") on delete cascade,
  "provider" text not null check ("provider" in ('server', 'none', 'openai-compatible', 'anthropic', 'google')),
  "url" text,
  "model" text,
  -- Encrypted with a key that is not in the database; its last characters as people see them.
  "sealedKey" text,
  "keyEnd" text,
  "updated" timestamptz not null
);

-- What language and embedding models were asked, by day in UTC, with the tokens they read and wrote.
create table "model_usage" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "day" date not null,
  "calls" integer not null,
  "tokensIn" bigint not null default 0,
  "tokensOut" bigint not null default 0,
  -- Of the calls, those whose tokens were estimated from the texts, because the service did not report them.
  "estimated" integer not null default 0,
  "embeddingCalls" integer not null default 0,
  "embeddingTokens" bigint not null default 0,
  primary key ("workspaceId", "day")
);
create index "model_usage_day" on "model_usage" ("day");

-- Threads that visitors of a public space began by asking it. Their readers come and go with the space: its answer quotes
-- what the space published then.
create table "visitor_thread" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "threadId" text not null,
  -- Stays when the space is deleted for good: the thread must not be reached without it.
  "spaceId" text not null,
  -- The space published the texts of its notes, so the answer may quote them.
  "withText" boolean not null,
  -- Of the key with which the visitor may go on asking.
  "keyHash" text not null,
  "created" timestamptz not null,
  primary key ("workspaceId", "threadId"),
  foreign key ("workspaceId", "threadId") references "thread" ("workspaceId", "id") on delete cascade
);
create index "visitor_thread_space" on "visitor_thread" ("spaceId");
create index "visitor_thread_created" on "visitor_thread" ("created");

-- How many questions of visitors a workspace took on a day: counted before they are answered, so that no two at once pass
-- the limit.
create table "visitor_question_day" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "day" date not null,
  "questions" integer not null,
  primary key ("workspaceId", "day")
);
