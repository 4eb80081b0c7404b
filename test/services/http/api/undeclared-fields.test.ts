import test from 'ava'
import { Type } from 'typebox'
import { named } from '../../../../kernel/base/json-schema.ts'
import { listOf } from '../../../../kernel/base/schema.ts'
import { route } from '../../../../kernel/contract/route.ts'
import { startTestServer } from '../fixtures.ts'

const Person = Type.Object({ id: Type.String() })
const Round = Type.Object({ kind: Type.Literal('round'), radius: Type.Number() })
const Square = Type.Object({ kind: Type.Literal('square'), side: Type.Number() })
const get = { method: 'get', allow: 'public' } as const
const routes = [
  route({ ...get, path: '/person', replies: { 200: Person }, handle: async () => ({ id: 'a', email: 'a@acme.test' }) }),
  route({
    ...get,
    path: '/shapes',
    replies: { 200: listOf(Type.Union([Round, Square])) },
    handle: async () => ({ data: [{ kind: 'square', side: 2, radius: 1 }], nextCursor: null }),
  }),
  route({
    ...get,
    path: '/known',
    replies: { 200: listOf(named('Known', Person, { leavesOut: ['email'] })) },
    handle: async () => ({ data: [{ id: 'a', email: 'a@acme.test' }], nextCursor: null }),
  }),
]

async function warningsOf(production: boolean) {
  const settings = { trustProxy: 0, rateLimits: false, production, metricsToken: undefined, shutdownDelayMs: 0 }
  const server = await startTestServer({ routes }, { settings })
  for (const path of ['/v1/person', '/v1/person', '/v1/shapes', '/v1/known']) await server.get(path)
  await server.stop()
  const warnings = server.lines.filter(({ msg }) => /fields that the reply schema does not have/.test(String(msg)))
  return warnings.map(({ method, path, status, fields }) => [method, path, status, fields])
}

test("warns once about fields that a handler returns and its reply schema doesn't have", async t => {
  t.deepEqual(await warningsOf(false), [
    ['get', '/person', 200, ['email']],
    ['get', '/shapes', 200, ['data[].radius']],
  ])
})

test('compares no fields in production', async t => {
  t.deepEqual(await warningsOf(true), [])
})
