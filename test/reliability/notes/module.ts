/** A careless module: reads without WHERE, throws after a write, and holds slow transactions. */
import { defineModule, newId, route, Type } from '../../../kernel/index.ts'

const Row = Type.Object({ id: Type.String(), tenantId: Type.String() })
const Rows = Type.Object({ rows: Type.Array(Row) })
const READ = 'select id, tenant_id as "tenantId" from notes_notes order by id desc limit 50'
const WRITE = 'insert into notes_notes (id, tenant_id, author) values ($1, $2, $3)'

export default defineModule({
  name: 'notes',
  needs: ['database'],
  permissions: { 'notes.note.read': 'Read notes', 'notes.note.create': 'Write notes' },
  migrations: new URL('./migrations/', import.meta.url),
  routes: ({ database }) => {
    const rows = async (tenantId: string) => ({
      rows: (await database.tenant(tenantId).query<{ id: string; tenantId: string }>(READ)).rows,
    })
    const write = (tenantId: string, author: string) =>
      database.tenant(tenantId).query(WRITE, [newId('note'), tenantId, author])
    return [
      route({
        method: 'get',
        path: '/notes',
        allow: 'notes.note.read',
        replies: { 200: Rows },
        handle: ({ tenantId }) => rows(tenantId),
      }),
      route({
        method: 'get',
        path: '/notes/slow',
        allow: 'notes.note.read',
        replies: { 200: Rows },
        handle: ({ tenantId }) =>
          database.tenant(tenantId).transaction(async unit => {
            await unit.query('select pg_sleep(0.005)')
            return rows(tenantId)
          }),
      }),
      route({
        method: 'post',
        path: '/notes',
        allow: 'notes.note.create',
        replies: { 201: Rows },
        async handle({ tenantId, caller }) {
          await write(tenantId, caller.userId)
          return rows(tenantId)
        },
      }),
      route({
        method: 'post',
        path: '/notes/broken',
        allow: 'notes.note.create',
        replies: { 204: null },
        async handle({ tenantId, caller }) {
          await write(tenantId, `${caller.userId} broken`)
          throw new Error('failed after the write')
        },
      }),
      route({
        method: 'post',
        path: '/notes/foreign',
        allow: 'notes.note.create',
        body: Type.Object({ tenantId: Type.String() }),
        replies: { 204: null },
        async handle({ body, tenantId, caller }) {
          const values = [newId('note'), body.tenantId, `${caller.userId} foreign`]
          await database.tenant(tenantId).query(WRITE, values)
        },
      }),
    ]
  },
})
