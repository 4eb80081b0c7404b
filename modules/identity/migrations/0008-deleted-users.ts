import type { Migration } from '@larder-dev/larder/kernel'

/**
 * A membership or an API key of a user who is deleted at the same time waits for the deletion. It then fails with the
 * SQLSTATE of an invalid credential (`LA401`) instead of a foreign key violation.
 */
export const up: Migration = async m => {
  await lockUser(m, 'if not found and new is not null then perform identity_access_changed(); end if;')
  await m.query(
    `create function identity_require_user() returns trigger language plpgsql security definer
     set search_path from current as $$
     begin
       perform from identity_users where id = new.user_id for key share;
       if not found then perform identity_access_changed(); end if;
       return new;
     end $$;
     create trigger identity_require_user before insert on identity_api_keys
     for each row execute function identity_require_user()`,
  )
}

export const down: Migration = async m => {
  await m.query('drop trigger identity_require_user on identity_api_keys; drop function identity_require_user')
  await lockUser(m, '')
}

const lockUser = (m: Parameters<Migration>[0], check: string) =>
  m.query(
    `create or replace function identity_lock_user() returns trigger language plpgsql security definer
     set search_path from current as $$
     begin
       perform from identity_users where id = coalesce(new.user_id, old.user_id) for update;
       ${check}
       return coalesce(new, old);
     end $$`,
  )
