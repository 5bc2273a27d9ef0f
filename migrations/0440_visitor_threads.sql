-- Threads that visitors of a public space began by asking it. Their readers come and go with the space: its answer quotes
-- what the space published then.
create table "visitor_thread" (
  "threadId" text primary key references "thread" ("id") on delete cascade,
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  -- Stays when the space is deleted for good: the thread must not be reached without it.
  "spaceId" text not null,
  -- The space published the texts of its notes, so the answer may quote them.
  "withText" boolean not null,
  "created" timestamptz not null
);
create index "visitor_thread_space" on "visitor_thread" ("spaceId");
create index "visitor_thread_workspace" on "visitor_thread" ("workspaceId");
create index "visitor_thread_created" on "visitor_thread" ("created");

-- How many questions of visitors a workspace took on a day: counted before they are answered, so that no two at once pass the limit.
create table "visitor_question_day" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "day" date not null,
  "questions" integer not null,
  primary key ("workspaceId", "day")
);
