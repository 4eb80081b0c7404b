import type { Migration } from '@larder-dev/larder/kernel'

/** Deleted workspaces, until their rows are deleted: events that were published before must not be sent any more. */
export const up: Migration = m => m.tenantTable('webhooks_stopped_tenants', 'primary key (tenant_id)')
