import { type Deps, defineProblems, route, Type, table, tableRoutes } from '../../kernel/index.ts'

const replies = { 200: Type.Unknown() }
const body = Type.Object({ name: Type.String() })
// expect: TS2339 a parameter is not in the path
export const a = route({ method: 'get', path: '/x/:id', allow: 'user', replies, handle: async i => i.params.key })
// expect: TS2339 a field is not in the body
export const b = route({ method: 'post', path: '/x', allow: 'user', body, replies, handle: async i => i.body.nome })
// expect: TS2322 a method does not exist
export const c = route({ method: 'fetch', path: '/x', allow: 'user', replies, async handle() {} })

const problems = defineProblems({ closed: [409, 'Form {id} closed on {date}.'] })
// expect: TS2554 a problem has no values for its placeholders
export const d = () => problems.closed()
// expect: TS2741 a problem has no value for one of two placeholders
export const e = () => problems.closed({ id: 'x' })
// expect: TS2551 a problem has an unknown code
export const f = () => problems.clsoed({ id: 'x', date: '' })

const notes = table('notes', Type.Object({ id: Type.String(), title: Type.String() }), { what: 'note' })
declare const deps: Deps<'database' | 'clock'>
const create = { allow: 'x.note.create', prefix: 'not', body } as const
// expect: TS2322 a new record has no value for a column
export const g = tableRoutes(notes, deps, { path: '/x', create: { ...create, values: () => ({}) } })
const list = { allow: 'x.note.read' } as const
// expect: TS2322 a list is ordered by a column that does not exist
export const h = tableRoutes(notes, deps, { path: '/x', list: { ...list, page: () => ({ sortBy: 'titel' }) } })
