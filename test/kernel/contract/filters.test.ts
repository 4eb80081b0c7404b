import test from 'ava'
import { listQuery, OneOf } from '../../../kernel/base/schema.ts'
import { Type } from '../../../kernel/base/typebox.ts'
import { route } from '../../../kernel/contract/route.ts'

const list = route({
  method: 'get',
  path: '/notes',
  operationId: 'listNotes',
  summary: 'Lists notes.',
  allow: 'user',
  query: listQuery({ q: Type.Optional(Type.String()) }),
  filters: { state: OneOf(['open', 'done']), size: Type.Integer() },
  replies: { 200: null },
  handle: async ({ query, filters }) => ({ query, filters }),
})
const call = (query: object) => list.handle({ query } as never)

test('a filter is an optional parameter of its name', t => {
  const { properties, required } = list.query as unknown as { properties: object; required?: string[] }
  t.deepEqual(Object.keys(properties), ['limit', 'cursor', 'q', 'filter[state]', 'filter[size]'])
  t.deepEqual(required ?? [], [])
  t.like(properties, { 'filter[state]': { enum: ['open', 'done'] } })
})

test('the handler gets the values of filters by name, and the other parameters as its query', async t => {
  t.deepEqual(await call({ limit: 5, q: 'a', 'filter[state]': 'open', 'filter[size]': 0 }), {
    query: { limit: 5, q: 'a' },
    filters: { state: 'open', size: 0 },
  })
  t.deepEqual(await call({}), { query: {}, filters: {} })
})

test('a route without other parameters can have filters', t => {
  const { query } = route({
    method: 'get',
    path: '/numbers',
    operationId: 'listNumbers',
    summary: 'Lists numbers.',
    allow: 'user',
    filters: { kind: Type.String() },
    replies: { 200: null },
    handle: async ({ filters: { kind = 'all' } }) => kind,
  })
  t.deepEqual(Object.keys((query as unknown as { properties: object }).properties), ['filter[kind]'])
})
