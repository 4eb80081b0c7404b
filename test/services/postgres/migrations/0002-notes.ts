import type { Migration } from '../../../../kernel/contract/migration.ts'

export const up: Migration = ({ tenantTable }) =>
  tenantTable(
    'test_notes',
    `id text primary key, title text not null, slug text, "order" integer not null default 0, size bigint,
     tags text[] not null, data jsonb, secret bytea, version integer not null default 1, constraint test_notes_slug unique (slug),
     created_at timestamptz not null, changed_at timestamptz`,
  )
