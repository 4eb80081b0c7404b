import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  // The process that sends the deliveries of a host.
  await m.systemTable(
    'webhooks_host_leases',
    `host text primary key,
     claimed_by text not null,
     expires_at timestamptz not null`,
  )
  await m.query('drop index webhooks_claimed')
  await m.query('alter table webhooks_deliveries drop column claimed_by')
  // Only the sweep uses it. BRIN, because a B-tree would cost each attempt an index entry.
  await m.query('drop index webhooks_done')
  await m.query('create index webhooks_by_age on webhooks_deliveries using brin (updated_at)')
}
