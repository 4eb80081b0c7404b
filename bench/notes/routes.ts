import { common, type Deps, listOf, newId, route, Timestamp, Type } from '../../kernel/index.ts'
import type { Note } from './ports.ts'

const NoteSchema = Type.Object({ id: Type.String(), title: Type.String(), body: Type.String(), createdAt: Timestamp })
const COLUMNS = 'id, title, body, created_at as "createdAt"'

export const routes = ({ database, events }: Deps<'database' | 'events'>) => [
  route({
    method: 'get',
    path: '/notes/:id',
    allow: 'notes.note.read',
    replies: { 200: NoteSchema },
    async handle({ params, tenantId }) {
      const found = await database
        .tenant(tenantId)
        .query<Note>(`select ${COLUMNS} from notes_notes where id = $1`, [params.id])
      if (!found.rows[0]) throw common.not_found({ what: 'note' })
      return found.rows[0]
    },
  }),
  route({
    method: 'get',
    path: '/notes',
    allow: 'notes.note.read',
    replies: { 200: listOf(NoteSchema) },
    async handle({ tenantId }) {
      const found = await database
        .tenant(tenantId)
        .query<Note>(`select ${COLUMNS} from notes_notes order by id limit 20`)
      return { data: found.rows, nextCursor: null }
    },
  }),
  route({
    method: 'post',
    path: '/notes',
    allow: 'notes.note.create',
    body: Type.Object({ title: Type.String({ maxLength: 200 }), body: Type.String({ maxLength: 10_000 }) }),
    replies: { 201: Type.Object({ id: Type.String() }) },
    unit: 'own',
    async handle({ body, tenantId }) {
      const id = newId('note')
      const insert = 'insert into notes_notes (id, tenant_id, title, body) values ($1, $2, $3, $4)'
      await database
        .tenant(tenantId)
        .batch([
          [insert, [id, tenantId, body.title, body.body]],
          events.step('notes.note.created', { tenantId, subject: id, payload: { noteId: id, title: body.title } }),
        ])
      events.wakeWorkers()
      return { id }
    },
  }),
]
