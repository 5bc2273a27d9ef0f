-- What followed a memory by triggers is written with it (server/db/memory-followers.ts): a trigger that writes another table
-- cannot run where tables are spread over servers. The guards stay.

drop trigger "memory_public_updated" on "memory";
drop function "memory_public_updated"();
drop function "is_text_published"(text, text);

drop trigger "index_memory" on "memory";
drop trigger "index_memory_state" on "memory";
drop function "index_memory"();
drop function "index_memory_state"();
drop function "search_document"("memory");

drop trigger "forget_embedding" on "memory";
drop function "forget_embedding"();
drop trigger "forget_embedding_of_new_page" on "memory_page";
drop trigger "forget_embedding_of_page" on "memory_page";
drop function "forget_embedding_of_page"();

drop trigger "note_move" on "memory";
drop trigger "note_removal" on "memory";
drop function "note_departure"();

-- Notifications live with the account that they are for, which is a realm of its own.
alter table "notification" drop constraint "notification_pkey", add primary key ("userId", "id");
