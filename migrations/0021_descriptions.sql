-- A workspace may have titles, summaries and tags of new memories, and names of threads, written by its language model.
alter table "answering_setting" add column "describes" boolean not null default false;
