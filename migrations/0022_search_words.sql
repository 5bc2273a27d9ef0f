-- Search: signs of East Asian writing divide words, and iteration marks count as ideographs.
create or replace function "search_words"("given" text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length("given") = length("given") then
    regexp_replace(lower("given"), '[^a-z0-9]+', ' ', 'g')
  else
    regexp_replace(regexp_replace(public."search_fold"("given"),
      '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30fb]+', ' ', 'g'),
      '([\u3005\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g')
  end
$$;

select set_config('app.sync_version', '0', true);
update "memory" set "title" = "title";
reindex index "message_text";
