-- Lists that a person comes back to: parameters of the address by name.
alter table "sidebar" add column "filters" jsonb not null default '{}';
