import type { Migration } from '@larder-dev/larder/kernel'

export const up: Migration = async ({ query }) => {
  // Whether it is a definition of the recipe that was applied last, with which the next one is compared.
  await query('alter table automations_definitions add column applied boolean not null default false')
}
