/** Responses stored for `Idempotency-Key`, and the shared counters of rate limits. */

import type { Migration } from '@larder-dev/larder/kernel'
export const up: Migration = async migration => {
  // id: digest of tenant, caller, method, path and key. A POST without a tenant has the tenant ''.
  await migration.tenantTable(
    'larder_idempotency',
    `id text primary key,
     request_hash text not null,
     answer bytea not null,
     expires_at timestamptz not null`,
  )
  await migration.query('create index larder_idempotency_expires on larder_idempotency (expires_at)')
  // rate-limiter-flexible defines the columns and their order; expire is in milliseconds since 1970.
  await migration.systemTable(
    'larder_rate_limits',
    `key varchar(255) primary key,
     points integer not null default 0,
     expire bigint`,
  )
}
