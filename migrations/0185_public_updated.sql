-- When what the public may see of a memory changed last; null = never since it was made. Private notes move `updated` alone.
alter table "memory" add column "publicUpdated" timestamptz;

create function "memory_public_updated"() returns trigger language plpgsql as $$
begin
  new."publicUpdated" := new."updated";
  return new;
end
$$;

-- The fields of shared/memories/public-memory.ts.
create trigger "memory_public_updated" before update on "memory" for each row
  when ((old."type", old."title", old."description", old."summary", old."url", old."tags", old."screenshot",
      old."filename", old."contentStatus")
    is distinct from (new."type", new."title", new."description", new."summary", new."url", new."tags",
      new."screenshot", new."filename", new."contentStatus"))
  execute function "memory_public_updated"();
