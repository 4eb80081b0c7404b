import type { Migration } from '@larder-dev/larder/kernel'

/** Single sign-on that a workspace sets up: its email domains, and its provider. */
export const up: Migration = async m => {
  await m.tenantTable(
    'identity_sso_domains',
    `id text primary key,
     -- Lower case, in ASCII.
     domain text not null,
     -- Part of the DNS record.
     token text not null,
     verified_at timestamptz,
     checked_at timestamptz,
     -- When the record of a verified domain was first missing.
     missing_since timestamptz,
     created_at timestamptz not null,
     unique (tenant_id, domain)`,
  )
  // A domain belongs to one workspace at a time.
  await m.query(
    `create unique index identity_sso_domains_verified on identity_sso_domains (domain) where verified_at is not null`,
  )
  await m.tenantTable(
    'identity_sso_connections',
    `id text primary key,
     issuer text not null,
     client_id text not null,
     -- Encrypted with LARDER_SECRET.
     client_secret bytea not null,
     scope text not null,
     groups_claim text not null,
     -- Groups of the provider and the roles of their members: [{ group, role }].
     role_mappings jsonb not null,
     -- Null for the default role of invitations.
     default_role text,
     sync_roles boolean not null,
     enabled boolean not null,
     required boolean not null,
     -- When a test of this issuer and client last succeeded.
     tested_at timestamptz,
     -- The last test with its claims, for a day: { at, problem, email, groups, claims }.
     last_test jsonb,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     unique (tenant_id)`,
  )
}

export const down: Migration = async m => {
  await m.query('drop table identity_sso_connections')
  await m.query('drop table identity_sso_domains')
  await m.query("delete from identity_sign_in_identities where method = 'sso'")
}
