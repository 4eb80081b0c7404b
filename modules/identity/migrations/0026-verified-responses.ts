import type { Migration } from '@larder-dev/larder/kernel'

/** A response of SAML is claimed before it is verified. */
export const up: Migration = async m => {
  await m.query(
    `alter table identity_saml_requests
       -- When its response was verified. Null until then.
       add column verified_at timestamptz`,
  )
}

export const down: Migration = async m => {
  await m.query('alter table identity_saml_requests drop column verified_at')
}
