import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async m => {
  await m.query('alter table invoices_invoices add column locale text')
}

export const down: Migration = async m => {
  await m.query('alter table invoices_invoices drop column locale')
}
