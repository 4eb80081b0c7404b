import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.systemTable(
    'identity_users',
    `id text primary key,
     email text not null,
     email_key text not null unique,
     name text,
     locale text,
     password_hash text not null,
     -- Incremented with each password change, which invalidates reset links and sign-ins in progress.
     password_version integer not null default 1,
     reset_until timestamptz,
     email_verified_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  await m.systemTable(
    'identity_logins',
    `id text primary key,
     user_id text not null references identity_users (id) on delete cascade,
     -- Either secret can be null. Both grant the same access.
     cookie_hash bytea unique,
     token_hash bytea unique,
     user_agent text,
     ip text,
     created_at timestamptz not null,
     extended_at timestamptz not null,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_logins (user_id)')
  await m.query('create index on identity_logins (expires_at)')
  await m.systemTable('identity_claims', 'code_hash bytea primary key, expires_at timestamptz not null')

  await m.tenantTable(
    'identity_tenants',
    `name text not null,
     slug text not null unique,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (tenant_id)`,
  )
  await m.tenantTable(
    'identity_members',
    `id text primary key,
     user_id text not null references identity_users (id),
     roles text[] not null check (cardinality(roles) > 0),
     created_at timestamptz not null,
     updated_at timestamptz not null,
     unique (tenant_id, user_id)`,
  )
  await m.query('create index on identity_members (user_id, created_at)')
  await m.tenantTable(
    'identity_roles',
    `key text not null,
     name text not null,
     permissions text[] not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     primary key (tenant_id, key)`,
  )
  await m.tenantTable(
    'identity_invitations',
    `id text primary key,
     email text not null,
     email_key text not null,
     roles text[] not null,
     status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked')),
     version integer not null default 1,
     invited_by text not null,
     accepted_by text,
     accepted_at timestamptz,
     expires_at timestamptz not null,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  await m.query(`create unique index on identity_invitations (tenant_id, email_key) where status = 'pending'`)
  await m.query('create index on identity_invitations (tenant_id, id)')
  await m.tenantTable(
    'identity_api_keys',
    `id text primary key,
     user_id text not null references identity_users (id),
     name text not null,
     prefix text not null,
     secret_hash bytea not null unique,
     permissions text[],
     expires_at timestamptz,
     last_used_at timestamptz,
     created_at timestamptz not null,
     updated_at timestamptz not null`,
  )
  await m.query('create index on identity_api_keys (tenant_id, id)')
  await audit(m)
  // A tenant can read the users who are its members, limited to the columns of a member list.
  await m.query('grant select (id, email, email_key, name) on identity_users to larder_app')
  await m.query(
    `create policy fellow_members on identity_users for select to larder_app
     using (exists (select 1 from identity_members m where m.user_id = identity_users.id))`,
  )
}

/** Append-only: grants and a trigger prevent changes, including changes by the table owner. */
async function audit(m: Parameters<Migration>[0]): Promise<void> {
  await m.tenantTable(
    'identity_audit',
    `id text primary key,
     action text not null,
     actor jsonb not null,
     subject text,
     details jsonb not null,
     created_at timestamptz not null`,
  )
  await m.query('create index on identity_audit (tenant_id, id)')
  await m.query('revoke update, delete, truncate on identity_audit from larder_app, larder_system')
  await m.query(
    `create function identity_audit_append_only() returns trigger language plpgsql as $$
     begin
       if current_setting('larder.audit_maintenance', true) = 'on' then return null; end if;
       raise exception 'the audit log is append-only';
     end $$`,
  )
  await m.query(
    `create trigger identity_audit_append_only before update or delete or truncate on identity_audit
     for each statement execute function identity_audit_append_only()`,
  )
  await auditMaintenance(m)
}

/**
 * Both functions run as the table owner and affect deleted tenants only: one removes personal data, the other deletes
 * entries after their retention.
 */
async function auditMaintenance(m: Parameters<Migration>[0]): Promise<void> {
  const maintain = (name: string, parameter: string, statement: string) =>
    m.query(
      `create function ${name}(${parameter}) returns void language plpgsql security definer
       set search_path from current as $$
       begin
         perform set_config('larder.audit_maintenance', 'on', true);
         ${statement};
         perform set_config('larder.audit_maintenance', '', true);
       end $$;
       revoke execute on function ${name} from public;
       grant execute on function ${name} to larder_system`,
    )
  await maintain(
    'identity_audit_redact',
    'deleted_tenant text',
    `update identity_audit a set details = '{}' where a.tenant_id = deleted_tenant
       and not exists (select 1 from identity_tenants t where t.tenant_id = a.tenant_id)`,
  )
  await maintain(
    'identity_audit_purge',
    'older_than timestamptz',
    `delete from identity_audit a where a.created_at < older_than
       and not exists (select 1 from identity_tenants t where t.tenant_id = a.tenant_id)`,
  )
}
