-- Answers that a language model was asked for, by day in UTC, with the tokens it read and wrote.
create table "model_usage" (
  "workspaceId" text not null references "workspace" ("id") on delete cascade,
  "day" date not null,
  "calls" integer not null,
  "tokensIn" bigint not null default 0,
  "tokensOut" bigint not null default 0,
  -- Of the calls, those whose tokens were estimated from the texts, because the service did not report them.
  "estimated" integer not null default 0,
  primary key ("workspaceId", "day")
);
create index "model_usage_day" on "model_usage" ("day");
