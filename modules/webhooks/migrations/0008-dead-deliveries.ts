import type { Migration } from '@larder-dev/larder/kernel'

export const expands = true

/**
 * The home screen asks for deliveries that were given up: without them, each list would read all deliveries of the workspace.
 * Partial, so that an attempt costs no index entry.
 */
export const up: Migration = async m => {
  await m.query(`create index webhooks_dead on webhooks_deliveries (tenant_id, id) where status = 'dead'`)
}

export const down: Migration = async m => {
  await m.query('drop index webhooks_dead')
}
