import { defineModule, listener, Type } from '../../kernel/index.ts'
import type {} from './ports.ts'
import { routes } from './routes.ts'

/** The module of the request benchmark: one table, three routes, and a listener that inserts a row. */
export default defineModule({
  name: 'notes',
  needs: ['database', 'events'],
  permissions: { 'notes.note.read': 'Read notes', 'notes.note.create': 'Write notes' },
  events: { 'notes.note.created': Type.Object({ noteId: Type.String(), title: Type.String() }) },
  routes,
  listeners: ({ database }) => [
    listener(
      'notes.note.created',
      async ({ id, tenantId }) => {
        const insert = 'insert into notes_effects (tenant_id, event_id) values ($1, $2)'
        await database.tenant(tenantId).query(insert, [tenantId, id])
      },
      { concurrent: true },
    ),
  ],
  migrations: new URL('./migrations/', import.meta.url),
})
