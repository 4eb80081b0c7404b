import type { Migration } from '../../../../kernel/contract/migration.ts'

export const up: Migration = migration =>
  migration.tenantTable('notes_notes', 'id text primary key, title text not null')
