import type { Migration } from 'larder/kernel'

/**
 * Each function returns true while a credential, its user and its membership are unchanged, and raises SQLSTATE LA401
 * otherwise. It runs as the table owner, before a statement has the role and the tenant of its unit. It reveals nothing
 * to callers who don't hold the credential.
 */
export const up: Migration = async m => {
  const create = (name: string, credential: string) =>
    m.query(
      `create function ${name}(
         p_id text, p_hash bytea, p_user text, p_at timestamptz, p_unverified boolean, p_permissions text[],
         p_tenant text, p_slug text, p_member text, p_roles text[], p_operator text, p_operator_roles text[],
         p_custom boolean, p_custom_roles jsonb)
       returns boolean language plpgsql security definer set search_path from current as $$
       begin
         perform from ${credential} and ${ACCESS};
         if not found then
           raise exception 'the credential or its rights have changed' using errcode = 'LA401';
         end if;
         return true;
       end $$;
       revoke execute on function ${name} from public;
       grant execute on function ${name} to larder_app, larder_system`,
    )
  await create('identity_check_login', LOGIN)
  await create('identity_check_api_key', API_KEY)
}

export const down: Migration = async m => {
  await m.query('drop function identity_check_login')
  await m.query('drop function identity_check_api_key')
}

const LOGIN = `identity_logins c where c.id = p_id and (c.cookie_hash = p_hash or c.token_hash = p_hash)
  and c.user_id = p_user and c.expires_at > coalesce(p_at, now())`

const API_KEY = `identity_api_keys c where c.id = p_id and c.secret_hash = p_hash and c.user_id = p_user
  and (c.expires_at is null or c.expires_at > coalesce(p_at, now()))
  and c.permissions is not distinct from p_permissions`

/** `p_unverified` and `p_tenant` are null where they don't matter. */
const ACCESS = `(p_unverified is null
    or p_unverified = (select u.email_verified_at is null from identity_users u where u.id = p_user))
  and (p_tenant is null or exists (
    select from identity_tenants t
    left join identity_members m on m.tenant_id = t.tenant_id and m.user_id = p_user
    left join identity_members o on o.tenant_id = p_operator and o.user_id = p_user
    where t.tenant_id = p_tenant and (p_slug is null or t.slug = p_slug)
      and m.id is not distinct from p_member and m.roles is not distinct from p_roles
      and o.roles is not distinct from p_operator_roles
      and (not p_custom or p_custom_roles is not distinct from (
        select jsonb_object_agg(r.key, to_jsonb(r.permissions)) from identity_roles r
        where r.tenant_id = t.tenant_id and r.key = any (m.roles)))))`
