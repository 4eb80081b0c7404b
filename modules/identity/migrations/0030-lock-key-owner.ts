import type { Migration } from '@larder-dev/larder/kernel'

/** A workspace's role can't lock users, and the trigger that locks the owner of a changed key comes after the key's lock. */
export const up: Migration = async m => {
  await m.query(
    `create function identity_lock_key_owner(of_tenant text, key_id text) returns void language plpgsql
     security definer set search_path from current as $$
     begin
       perform from identity_users where id = (
         select user_id from identity_api_keys where tenant_id = of_tenant and id = key_id) for no key update;
     end $$;
     revoke execute on function identity_lock_key_owner from public;
     grant execute on function identity_lock_key_owner to larder_app, larder_system`,
  )
}

export const down: Migration = async m => {
  await m.query('drop function identity_lock_key_owner')
}
