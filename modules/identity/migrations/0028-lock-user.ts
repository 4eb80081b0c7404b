import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // A row `is not null` only if none of its columns is null, and `sso_bound_at` of a member can be.
  await lockUser(m, "tg_op <> 'DELETE'")
  // Nobody can sign in at the provider with an address of a domain that the workspace no longer has.
  await m.query(
    `create function identity_unbind() returns trigger language plpgsql security definer set search_path from current as $$
     begin
       update identity_members m set sso_bound_at = null from identity_users u
       where m.tenant_id = old.tenant_id and u.id = m.user_id and split_part(u.email_key, '@', 2) = old.domain;
       return null;
     end $$`,
  )
  await m.query(
    `create trigger identity_unbind_removed after delete on identity_sso_domains
     for each row when (old.verified_at is not null) execute function identity_unbind()`,
  )
  await m.query(
    `create trigger identity_unbind_lapsed after update of verified_at on identity_sso_domains
     for each row when (old.verified_at is not null and new.verified_at is null) execute function identity_unbind()`,
  )
}

export const down: Migration = async m => {
  await m.query('drop trigger identity_unbind_removed on identity_sso_domains')
  await m.query('drop trigger identity_unbind_lapsed on identity_sso_domains')
  await m.query('drop function identity_unbind()')
  await lockUser(m, 'new is not null')
}

async function lockUser(m: Parameters<Migration>[0], isKept: string): Promise<void> {
  await m.query(
    `create or replace function identity_lock_user() returns trigger language plpgsql security definer
     set search_path from current as $$
     begin
       perform from identity_users where id = coalesce(new.user_id, old.user_id) for update;
       if not found and ${isKept} then perform identity_access_changed(); end if;
       return coalesce(new, old);
     end $$`,
  )
}
