import type { Migration } from '../../../../kernel/contract/migration.ts'

export const up: Migration = m => m.tenantTable('notes_notes', 'id text primary key, author text not null')
