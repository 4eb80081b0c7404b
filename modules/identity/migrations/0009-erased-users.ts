import type { Migration } from '@larder-dev/larder/kernel'

/**
 * Deleted accounts whose personal data is being erased, former addresses, which are erased with an account, and the
 * function that removes addresses from the append-only audit log.
 */
export const up: Migration = async m => {
  await m.systemTable(
    'identity_erasures',
    `user_id text primary key,
     emails text[] not null,
     name text,
     tenant_ids text[] not null,
     requested_at timestamptz not null`,
  )
  await m.query(`alter table identity_users add column former_emails text[] not null default '{}'`)
  await m.query('create index on identity_invitations (email_key)')
  await m.query(
    `create function identity_audit_forget(of_tenant text, emails text[]) returns void language plpgsql security definer
     set search_path from current as $$
     begin
       perform set_config('larder.audit_maintenance', 'on', true);
       update identity_audit set details = details - 'email'
         where tenant_id = of_tenant and lower(details ->> 'email') = any (emails);
       perform set_config('larder.audit_maintenance', '', true);
     end $$;
     revoke execute on function identity_audit_forget from public;
     grant execute on function identity_audit_forget to larder_system`,
  )
}

export const down: Migration = async m => {
  await m.query('drop function identity_audit_forget')
  await m.query('drop index identity_invitations_email_key_idx')
  await m.query('alter table identity_users drop column former_emails')
  await m.query('drop table identity_erasures')
}
