/** What the recipe said when it was last brought into the database: what the next one is compared with. */
import type { Migration } from 'larder/kernel'
export const up: Migration = async ({ systemTable }) => {
  await systemTable(
    'larder_applied_recipe',
    `only_one boolean primary key default true check (only_one),
     applied jsonb not null,
     applied_at timestamptz not null`,
  )
}
