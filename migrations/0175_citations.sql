-- The memories that an answer names as its sources, in the order of their numbers: [{"memoryId", "quote"}].
alter table "message" add column "citations" jsonb not null default '[]'
  check (jsonb_typeof("citations") = 'array');
