-- What readers think of answers: one rating per person or visitor and message. Only the server knows these rows.
create table "message_rating" (
  "id" text primary key,
  "messageId" text not null references "message" ("id") on delete cascade,
  -- Id of the user, or a hash that tells visitors apart.
  "rater" text not null,
  "value" smallint not null check ("value" in (-1, 1)),
  "reason" text,
  "comment" text,
  "created" timestamptz not null,
  "updated" timestamptz not null,
  unique ("messageId", "rater")
);
