import type { Migration } from '@larder-dev/larder/kernel'

/**
 * The login that started an impersonation, which ends with it. Names and addresses of operators who deleted their
 * account are removed from the audit log, too.
 */
export const up: Migration = async m => {
  // Nothing tells which login started the impersonations in progress.
  await m.query('delete from identity_logins where impersonator_id is not null')
  await m.query(
    `alter table identity_logins
       add column impersonator_login_id text references identity_logins (id) on delete cascade,
       drop constraint identity_impersonation,
       add constraint identity_impersonation check
         (num_nulls(impersonator_id, impersonator_login_id, impersonated_tenant_id, impersonation_reason) in (0, 4))`,
  )
  await m.query('create index on identity_logins (impersonator_login_id) where impersonator_login_id is not null')
  await m.query('drop function identity_audit_forget')
  await forget(
    m,
    'of_tenant text, emails text[], of_user text',
    `update identity_audit set details = details - 'email'
       where tenant_id = of_tenant and lower(details ->> 'email') = any (emails);
     update identity_audit set details = details - 'operator'
       where tenant_id = of_tenant and details ->> 'operatorId' = of_user`,
  )
}

export const down: Migration = async m => {
  await m.query('drop function identity_audit_forget')
  await forget(
    m,
    'of_tenant text, emails text[]',
    `update identity_audit set details = details - 'email'
       where tenant_id = of_tenant and lower(details ->> 'email') = any (emails)`,
  )
  await m.query('alter table identity_logins drop column impersonator_login_id')
  await m.query(
    `alter table identity_logins add constraint identity_impersonation check
       (num_nulls(impersonator_id, impersonated_tenant_id, impersonation_reason) in (0, 3))`,
  )
}

const forget = (m: Parameters<Migration>[0], parameters: string, statements: string) =>
  m.query(
    `create function identity_audit_forget(${parameters}) returns void language plpgsql security definer
     set search_path from current as $$
     begin
       perform set_config('larder.audit_maintenance', 'on', true);
       ${statements};
       perform set_config('larder.audit_maintenance', '', true);
     end $$;
     revoke execute on function identity_audit_forget from public;
     grant execute on function identity_audit_forget to larder_system`,
  )
