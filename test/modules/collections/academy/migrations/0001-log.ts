import type { Migration } from '../../../../../kernel/index.ts'

export const up: Migration = async m => {
  await m.tenantTable('academy_log', 'id bigint generated always as identity primary key, line text not null')
}
