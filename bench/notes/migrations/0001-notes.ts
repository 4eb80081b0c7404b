import type { Migration } from '../../../kernel/contract/index.ts'

export const up: Migration = async ({ query, tenantTable }) => {
  await tenantTable(
    'notes_notes',
    'id text primary key, title text not null, body text not null, created_at timestamptz not null default now()',
  )
  await query('create index on notes_notes (tenant_id, id)')
  await tenantTable('notes_effects', 'event_id text primary key, at timestamptz not null default clock_timestamp()')
}
