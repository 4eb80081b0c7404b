import type { Migration } from '@larder-dev/larder/kernel'

/**
 * Logins of operators who act as a user. The revision of such a credential also changes with the memberships of the
 * operator, who may lose the permission.
 */
export const up: Migration = async m => {
  await m.query(
    `alter table identity_logins
       add column impersonator_id text references identity_users (id) on delete cascade,
       add column impersonated_tenant_id text,
       add column impersonation_reason text,
       add constraint identity_impersonation check
         (num_nulls(impersonator_id, impersonated_tenant_id, impersonation_reason) in (0, 3))`,
  )
  await m.query('create index on identity_logins (impersonator_id) where impersonator_id is not null')
  await m.query('alter table identity_credential_revisions add column impersonator_id text')
  await m.query('create index on identity_credential_revisions (impersonator_id) where impersonator_id is not null')
  await m.query(
    reviseLogins('perform from identity_users where id in (new.user_id, new.impersonator_id) order by id', true),
  )
  await m.query(reviseMembers('or impersonator_id in (old.user_id, new.user_id)'))
}

export const down: Migration = async m => {
  await m.query('delete from identity_logins where impersonator_id is not null')
  await m.query(reviseLogins('perform from identity_users where id = new.user_id', false))
  await m.query(reviseMembers(''))
  await m.query('alter table identity_credential_revisions drop column impersonator_id')
  await m.query(
    `alter table identity_logins
       drop column impersonator_id, drop column impersonated_tenant_id, drop column impersonation_reason`,
  )
}

const reviseFunction = (table: string, body: string): string => `
  create or replace function identity_revise_${table}() returns trigger language plpgsql security definer
  set search_path from current as $$
  begin
    ${body};
    return null;
  end $$`

/** `lock`: the users whose memberships change the rights of the credential. See `userTriggers` in 0004. */
const reviseLogins = (lock: string, hasImpersonator: boolean): string =>
  reviseFunction(
    'logins',
    `if tg_op <> 'DELETE' then
       ${lock} for key share;
     end if;
     if tg_op <> 'INSERT' then
       delete from identity_credential_revisions where credential_id = old.id;
     end if;
     if tg_op <> 'DELETE' then
       insert into identity_credential_revisions
         (secret_hash, credential_id, user_id, expires_at${hasImpersonator ? ', impersonator_id' : ''})
       select hash, new.id, new.user_id, new.expires_at${hasImpersonator ? ', new.impersonator_id' : ''}
       from unnest(array[new.cookie_hash, new.token_hash]) hash where hash is not null;
     end if`,
  )

const reviseMembers = (more: string): string =>
  reviseFunction(
    'members',
    `update identity_credential_revisions set revision = nextval('identity_revision')
     where user_id in (old.user_id, new.user_id) ${more}`,
  )
