/** The recipe that was last applied to the database; the next one is compared with it. */
import type { Migration } from '@larder-dev/larder/kernel'
export const up: Migration = async ({ systemTable }) => {
  await systemTable(
    'larder_applied_recipe',
    `only_one boolean primary key default true check (only_one),
     applied jsonb not null,
     applied_at timestamptz not null`,
  )
}
