import type { Migration } from '@larder-dev/larder/kernel'

/** SAML as a protocol of single sign-on, and its requests, each of which accepts one response. */
export const up: Migration = async m => {
  await m.query(
    `alter table identity_sso_connections
       -- oidc or saml.
       add column protocol text not null default 'oidc',
       -- For SAML: { signInUrl, certificates, metadataUrl, emailAttribute }.
       add column saml jsonb,
       alter column client_id drop not null,
       alter column client_secret drop not null,
       alter column scope drop not null`,
  )
  await m.tenantTable(
    'identity_saml_requests',
    `id text primary key,
     connection_id text not null,
     -- Of the browser that posted the response. Null until then, like the outcome.
     code_hash bytea unique,
     -- Whom the response identifies, or why it was refused.
     outcome jsonb,
     expires_at timestamptz not null`,
  )
  await m.query('create index on identity_saml_requests (expires_at)')
}

export const down: Migration = async m => {
  await m.query('drop table identity_saml_requests')
  await m.query("delete from identity_sso_connections where protocol = 'saml'")
  await m.query("delete from identity_sign_in_identities where method = 'sso' and provider like '%/saml:%'")
  await m.query(
    `alter table identity_sso_connections
       drop column protocol,
       drop column saml,
       alter column client_id set not null,
       alter column client_secret set not null,
       alter column scope set not null`,
  )
}
