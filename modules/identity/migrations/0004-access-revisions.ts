import type { Migration } from '@larder-dev/larder/kernel'

/**
 * Each credential has a revision, which changes in the transaction that changes what the credential grants: its login or
 * key, its user, or a membership of that user. Each workspace has another revision, for its slug and its custom roles.
 * A request compares the revisions of its cache entry, which is one index lookup.
 */
export const up: Migration = async m => {
  await m.query('create sequence identity_revision as bigint')
  await m.systemTable(
    'identity_credential_revisions',
    `secret_hash bytea primary key,
     credential_id text not null,
     user_id text not null,
     revision bigint not null default nextval('identity_revision'),
     expires_at timestamptz`,
  )
  await m.query('create index on identity_credential_revisions (credential_id)')
  await m.query('create index on identity_credential_revisions (user_id)')
  await m.systemTable(
    'identity_tenant_revisions',
    `id text primary key,
     revision bigint not null default nextval('identity_revision')`,
  )
  await grants(m)
  await credentialTriggers(m)
  await userTriggers(m)
  await tenantTriggers(m)
  // Creating a trigger waits for writes in progress and blocks others until the commit, so no row is missed.
  await existingRows(m)
}

export const down: Migration = async m => {
  for (const table of ['logins', 'api_keys', 'users', 'members', 'roles', 'tenants']) {
    await m.query(`drop trigger identity_revise on identity_${table}`)
    await m.query(`drop function identity_revise_${table}`)
  }
  await m.query('drop trigger identity_lock_user on identity_members')
  await m.query('drop function identity_lock_user, identity_access_changed')
  await m.query('drop table identity_credential_revisions, identity_tenant_revisions')
  await m.query('drop sequence identity_revision')
}

/** The check runs before a unit has its tenant. Hashes and numbers reveal nothing about other tenants. */
async function grants(m: Parameters<Migration>[0]): Promise<void> {
  await m.query(
    `grant select (secret_hash, revision, expires_at) on identity_credential_revisions to larder_app;
     create policy verification on identity_credential_revisions for select to larder_app using (true);
     grant select (id, revision) on identity_tenant_revisions to larder_app;
     create policy verification on identity_tenant_revisions for select to larder_app using (true)`,
  )
  await m.query(
    `create function identity_access_changed() returns boolean language plpgsql as $$
     begin
       raise exception 'the credential or its rights have changed' using errcode = 'LA401';
     end $$;
     revoke execute on function identity_access_changed from public;
     grant execute on function identity_access_changed to larder_app, larder_system`,
  )
}

async function existingRows(m: Parameters<Migration>[0]): Promise<void> {
  await m.query(
    `insert into identity_credential_revisions (secret_hash, credential_id, user_id, expires_at)
     select hash, id, user_id, expires_at from identity_logins, unnest(array[cookie_hash, token_hash]) hash
       where hash is not null
     union all select secret_hash, id, user_id, expires_at from identity_api_keys`,
  )
  await m.query('insert into identity_tenant_revisions (id) select tenant_id from identity_tenants')
}

/** Runs as the table owner: tenants change members, roles and keys, and can't write revisions. */
async function trigger(m: Parameters<Migration>[0], table: string, events: string, body: string): Promise<void> {
  await m.query(
    `create function identity_revise_${table}() returns trigger language plpgsql security definer
     set search_path from current as $$
     begin
       ${body};
       return null;
     end $$;
     create trigger identity_revise after ${events} on identity_${table}
     for each row execute function identity_revise_${table}()`,
  )
}

const BUMP = `update identity_credential_revisions set revision = nextval('identity_revision')`

async function credentialTriggers(m: Parameters<Migration>[0]): Promise<void> {
  const replace = (hashes: string) => `
    if tg_op <> 'DELETE' then
      perform from identity_users where id = new.user_id for key share;
    end if;
    if tg_op <> 'INSERT' then
      delete from identity_credential_revisions where credential_id = old.id;
    end if;
    if tg_op <> 'DELETE' then
      insert into identity_credential_revisions (secret_hash, credential_id, user_id, expires_at)
      select hash, new.id, new.user_id, new.expires_at from unnest(array[${hashes}]) hash where hash is not null;
    end if`
  const columns = 'insert or delete or update of user_id, expires_at,'
  await trigger(m, 'logins', `${columns} cookie_hash, token_hash`, replace('new.cookie_hash, new.token_hash'))
  await trigger(m, 'api_keys', `${columns} secret_hash, permissions, tenant_id`, replace('new.secret_hash'))
}

/**
 * A credential that is created or changed at the same time holds a key lock on its user until it is committed. The lock
 * of `identity_lock_user` waits for it, so that the update sees every credential. It is taken before the foreign key of a
 * new membership locks the user, because two transactions could not raise that lock.
 */
async function userTriggers(m: Parameters<Migration>[0]): Promise<void> {
  await m.query(
    `create function identity_lock_user() returns trigger language plpgsql security definer
     set search_path from current as $$
     begin
       perform from identity_users where id = coalesce(new.user_id, old.user_id) for update;
       return coalesce(new, old);
     end $$;
     create trigger identity_lock_user before insert or delete or update of roles, user_id, tenant_id
     on identity_members for each row execute function identity_lock_user()`,
  )
  await trigger(
    m,
    'members',
    'insert or delete or update of roles, user_id, tenant_id',
    `${BUMP} where user_id in (old.user_id, new.user_id)`,
  )
  await trigger(m, 'users', 'update of email_verified_at', `${BUMP} where user_id = new.id`)
}

async function tenantTriggers(m: Parameters<Migration>[0]): Promise<void> {
  const bump = `update identity_tenant_revisions set revision = nextval('identity_revision')
    where id = coalesce(new.tenant_id, old.tenant_id)`
  await trigger(m, 'roles', 'insert or delete or update', bump)
  await trigger(
    m,
    'tenants',
    'insert or delete or update of slug',
    `if tg_op = 'INSERT' then
       insert into identity_tenant_revisions (id) values (new.tenant_id);
     elsif tg_op = 'UPDATE' then
       ${bump};
     else
       delete from identity_tenant_revisions where id = old.tenant_id;
       perform from identity_users u join identity_members m on m.user_id = u.id
         where m.tenant_id = old.tenant_id order by u.id for update of u;
       ${BUMP} where user_id in (select m.user_id from identity_members m where m.tenant_id = old.tenant_id);
     end if`,
  )
}
