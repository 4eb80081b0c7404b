import type { Migration } from '@larder-dev/larder/kernel'

const ADDRESS_IS_OF = (user: string, tenant: string): string =>
  `exists (select from identity_sso_domains d where d.tenant_id = ${tenant}
     and d.domain = split_part(${user}.email_key, '@', 2) and d.verified_at is not null)`
const IS_REQUIRED = (tenant: string): string =>
  `exists (select from identity_sso_connections c where c.tenant_id = ${tenant} and c.enabled and c.required)`

/**
 * Members who stay under the single sign-on of their workspace when their address changes. In the database, so that no way
 * to join, to change an address or to require single sign-on gets around it.
 */
export const up: Migration = async m => {
  await m.query(
    `alter table identity_members
       -- Since when the workspace's single sign-on counts for this member, whatever their address is.
       add column sso_bound_at timestamptz`,
  )
  await m.query(
    `create function identity_bind_joined() returns trigger language plpgsql security definer
       set search_path from current as $$
     begin
       if new.sso_bound_at is null and exists (select from identity_users u
         where u.id = new.user_id and ${ADDRESS_IS_OF('u', 'new.tenant_id')})
       then new.sso_bound_at = now(); end if;
       return new;
     end $$`,
  )
  await m.query(
    `create trigger identity_bind_joined before insert on identity_members
       for each row execute function identity_bind_joined()`,
  )
  await m.query(
    `create function identity_bind_required() returns trigger language plpgsql security definer
       set search_path from current as $$
     begin
       update identity_members m set sso_bound_at = now() from identity_users u
       where m.tenant_id = new.tenant_id and m.sso_bound_at is null and u.id = m.user_id
         and ${IS_REQUIRED('m.tenant_id')} and ${ADDRESS_IS_OF('u', 'm.tenant_id')};
       return null;
     end $$`,
  )
  await m.query(
    `create trigger identity_bind_required after insert or update of enabled, required on identity_sso_connections
       for each row when (new.enabled and new.required) execute function identity_bind_required()`,
  )
  await m.query(
    `create trigger identity_bind_required after insert or update of verified_at on identity_sso_domains
       for each row when (new.verified_at is not null) execute function identity_bind_required()`,
  )
  await m.query(
    `create function identity_bind_moved() returns trigger language plpgsql security definer
       set search_path from current as $$
     begin
       update identity_members m set sso_bound_at = now()
       where m.user_id = new.id and m.sso_bound_at is null
         and ${IS_REQUIRED('m.tenant_id')} and ${ADDRESS_IS_OF('old', 'm.tenant_id')};
       return null;
     end $$`,
  )
  await m.query(
    `create trigger identity_bind_moved after update of email_key on identity_users
       for each row when (new.email_key is distinct from old.email_key) execute function identity_bind_moved()`,
  )
  await m.query(
    `create function identity_bind_linked() returns trigger language plpgsql security definer
       set search_path from current as $$
     begin
       update identity_members m set sso_bound_at = now()
       where m.user_id = new.user_id and m.tenant_id = split_part(new.provider, '/', 1) and m.sso_bound_at is null;
       return null;
     end $$`,
  )
  await m.query(
    `create trigger identity_bind_linked after insert on identity_sign_in_identities
       for each row when (new.method = 'sso') execute function identity_bind_linked()`,
  )
  await m.query(
    `update identity_members m set sso_bound_at = now() from identity_sign_in_identities i
     where i.method = 'sso' and m.user_id = i.user_id and m.tenant_id = split_part(i.provider, '/', 1)`,
  )
  await m.query(
    `update identity_members m set sso_bound_at = now()
     from identity_sso_connections c, identity_sso_domains d, identity_users u
     where c.enabled and c.required and d.tenant_id = c.tenant_id and d.verified_at is not null
       and m.tenant_id = c.tenant_id and m.sso_bound_at is null
       and u.id = m.user_id and split_part(u.email_key, '@', 2) = d.domain`,
  )
}

export const down: Migration = async m => {
  const triggers = [
    ['joined', 'members'],
    ['required', 'sso_connections'],
    ['required', 'sso_domains'],
    ['moved', 'users'],
    ['linked', 'sign_in_identities'],
  ]
  for (const [name, table] of triggers) await m.query(`drop trigger identity_bind_${name} on identity_${table}`)
  for (const name of ['joined', 'required', 'moved', 'linked']) await m.query(`drop function identity_bind_${name}()`)
  await m.query('alter table identity_members drop column sso_bound_at')
}
