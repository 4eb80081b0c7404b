/** Suspended tenants. Workers skip their events and jobs, and public requests about them are refused. */
import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query, systemTable }) => {
  await systemTable(
    'larder_suspended_tenants',
    'id text primary key, reason text not null, suspended_at timestamptz not null',
  )
  // Preconditions and public requests look it up as the app role. An ID reveals nothing about a tenant.
  await query(`
    grant select (id) on larder_suspended_tenants to larder_app;
    create policy lookup on larder_suspended_tenants for select to larder_app using (true)`)
  await query(`
    create function larder_assert_active(tenant text) returns boolean language plpgsql stable
    set search_path from current as $$
    begin
      if exists (select from larder_suspended_tenants s where s.id = tenant) then
        raise exception 'the tenant is suspended' using errcode = 'LA403';
      end if;
      return true;
    end $$;
    revoke execute on function larder_assert_active from public;
    grant execute on function larder_assert_active to larder_app, larder_system`)
}

export const down: Migration = async ({ query }) => {
  await query('drop function larder_assert_active')
  await query('drop table larder_suspended_tenants')
}
