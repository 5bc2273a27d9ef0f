-- The end of a session reaches every node, whatever ended it, so that its open streams end at once.
create function "notify_session_end"() returns trigger language plpgsql as $$
begin
  perform pg_notify('loci_session_end', "id") from "gone";
  return null;
end $$;
create trigger "session_end" after delete on "session"
  referencing old table as "gone" for each statement execute function "notify_session_end"();
