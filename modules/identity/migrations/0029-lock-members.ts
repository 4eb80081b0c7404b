import type { Migration } from '@larder-dev/larder/kernel'

/**
 * Locks several members of a workspace, and then their users, each in order of the users. A workspace's role can't lock users,
 * and the trigger that locks a user with each member would lock them in the order in which a statement finds the members.
 */
export const up: Migration = async m => {
  await m.query(
    `create function identity_lock_members(of_tenant text, member_ids text[]) returns void language plpgsql
     security definer set search_path from current as $$
     begin
       perform from identity_members where tenant_id = of_tenant and (member_ids is null or id = any (member_ids))
         order by user_id for update;
       perform from identity_users where id in (
         select user_id from identity_members
         where tenant_id = of_tenant and (member_ids is null or id = any (member_ids))) order by id for update;
     end $$;
     revoke execute on function identity_lock_members from public;
     grant execute on function identity_lock_members to larder_app, larder_system`,
  )
}

export const down: Migration = async m => {
  await m.query('drop function identity_lock_members')
}
