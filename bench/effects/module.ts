import { defineModule, listener } from '../../kernel/index.ts'
import type {} from '../../modules/content/ports.ts'

/** The module of the relay benchmark: a listener to a content event that inserts a row. */
export default defineModule({
  name: 'effects',
  needs: ['database'],
  listeners: ({ database }) => [
    listener(
      'content.page.created',
      async ({ id, tenantId }) => {
        const insert = 'insert into effects_effects (tenant_id, event_id) values ($1, $2)'
        await database.tenant(tenantId).query(insert, [tenantId, id])
      },
      { concurrent: true },
    ),
  ],
  migrations: new URL('./migrations/', import.meta.url),
})
