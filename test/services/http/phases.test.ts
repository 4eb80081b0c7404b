import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import test, { type ExecutionContext } from 'ava'
import { Type } from 'typebox'
import { common } from '../../../kernel/base/problem.ts'
import { HOUR } from '../../../kernel/base/units.ts'
import { route } from '../../../kernel/contract/route.ts'
import { PHASES, type PhaseMessage } from '../../../services/http/phases.ts'
import { acme, bearer, startTestServer, type TestServer } from './fixtures.ts'

const ada = { ...bearer, ...acme }

const Note = Type.Object({ text: Type.String({ maxLength: 10 }) })
const routes = [
  route({
    method: 'post',
    path: '/notes',
    allow: 'notes.note.read',
    query: Type.Object({ draft: Type.Optional(Type.Boolean()) }),
    body: Note,
    replies: { 201: Note },
    problems: [common.conflict],
    async handle({ body: { text } }) {
      if (text === 'taken') throw common.conflict()
      return text === 'broken' ? ({ text: undefined } as never) : { text }
    },
  }),
  route({
    method: 'post',
    path: '/scarce',
    allow: 'public',
    limits: [{ name: 'scarce', points: 1, window: HOUR }],
    replies: { 204: null },
    handle: async () => undefined,
  }),
]

interface Seen {
  /** `limits`, and `allow failed`. */
  readonly steps: string[]
  readonly messages: Set<PhaseMessage['request']>
}

/** What the channels publish, from here to the end of the test. */
function watch(t: ExecutionContext): Seen {
  const seen: Seen = { steps: [], messages: new Set() }
  const add = (name: string, on: (message: unknown) => void) => {
    subscribe(name, on)
    t.teardown(() => unsubscribe(name, on))
  }
  for (const phase of PHASES) {
    add(`tracing:larder.http.${phase}:start`, message => {
      seen.steps.push(phase)
      seen.messages.add((message as PhaseMessage).request)
    })
    add(`tracing:larder.http.${phase}:error`, () => void seen.steps.push(`${phase} failed`))
  }
  return seen
}

async function start(t: ExecutionContext): Promise<TestServer> {
  const settings = { trustProxy: 0, rateLimits: true, production: false, metricsToken: undefined, shutdownDelayMs: 0 }
  const server = await startTestServer({ routes }, { settings })
  t.teardown(() => server.stop())
  return server
}

test.serial('the phases of a request run in their order', async t => {
  const server = await start(t)
  const { steps, messages } = watch(t)
  t.is((await server.send('POST', '/v1/notes?draft=true', { text: 'a' }, ada)).status, 201)
  t.deepEqual(steps, [
    'tenant',
    'authenticate',
    'limits',
    'allow',
    'parse',
    'validate',
    'parse',
    'validate',
    'unit',
    'handle',
    'serialize',
    'send',
  ])
  const [request, ...others] = messages
  t.deepEqual(others, [], 'All phases publish the same request.')
  t.like(request, { method: 'POST', route: '/v1/notes', module: 'notes', status: 201 })
})

const post =
  (body: unknown, headers: Record<string, string> = ada) =>
  (server: TestServer) =>
    server.send('POST', '/v1/notes', body, headers)
const CASES: Readonly<Record<string, readonly [number, (server: TestServer) => Promise<{ status: number }>]>> = {
  allow: [401, post({ text: 'a' }, {})],
  parse: [
    400,
    ({ url }) => {
      const headers = { ...ada, 'content-type': 'application/json' }
      return fetch(`${url}/v1/notes`, { method: 'POST', headers, body: '{' })
    },
  ],
  validate: [422, post({ text: 'longer than ten' })],
  handle: [409, post({ text: 'taken' })],
  serialize: [500, post({ text: 'broken' })],
}
for (const [phase, [status, send]] of Object.entries(CASES))
  test.serial(`a request ends with ${status} in the phase ${phase}`, async t => {
    const server = await start(t)
    const { steps } = watch(t)
    t.is((await send(server)).status, status)
    t.is(
      steps.find(step => step.endsWith(' failed')),
      `${phase} failed`,
    )
    t.is(steps.at(-1), 'send')
  })

test.serial('a request over its limit ends with 429 in the phase limits', async t => {
  const server = await start(t)
  t.is((await server.send('POST', '/v1/scarce', undefined, bearer)).status, 204)
  const { steps } = watch(t)
  t.is((await server.send('POST', '/v1/scarce', undefined, bearer)).status, 429)
  t.is(
    steps.find(step => step.endsWith(' failed')),
    'limits failed',
  )
})

test.serial('the whole request is published with its headers and its status', async t => {
  const server = await start(t)
  const ended = new Promise<PhaseMessage>(resolve => {
    const end = (message: unknown) => resolve(message as PhaseMessage)
    subscribe('tracing:larder.http.request:asyncEnd', end)
    t.teardown(() => unsubscribe('tracing:larder.http.request:asyncEnd', end))
  })
  await server.send('POST', '/v1/notes', { text: 'a' }, { ...ada, traceparent: '00-a-b-01' })
  const { request } = await ended
  t.like(request, { route: '/v1/notes', status: 201, headers: { traceparent: '00-a-b-01' } })
})
