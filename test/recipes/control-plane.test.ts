/** The routes of the control plane and their access rules. */
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { colleague } from '../modules/identity/fixtures.ts'

const TABLE: Readonly<Record<string, string>> = {
  'GET /v1/capabilities': 'public',
  'POST /v1/sessions': 'sessions.session.create',
  'GET /v1/sessions': 'sessions.session.read',
  'GET /v1/sessions/:id': 'sessions.session.read',
  'POST /v1/sessions/:id/accept': 'sessions.session.accept joinToken',
  'POST /v1/sessions/:id/end': 'sessions.session.end',
  'POST /v1/sessions/:id/token/rotate': 'sessions.session.end',
  'POST /v1/join': 'joinToken',
  'POST /v1/streams': 'streams.stream.create',
  'GET /v1/streams': 'streams.stream.read',
  'GET /v1/streams/public': 'public',
  'POST /v1/streams/public/:id/tokens': 'public',
  'GET /v1/streams/:id': 'streams.stream.read',
  'GET /v1/streams/:id/media': 'streams.stream.read public',
  'POST /v1/streams/:id/sources': 'streams.stream.update',
  'GET /v1/streams/:id/sources': 'streams.stream.update',
  'DELETE /v1/streams/:id/sources/:source_id': 'streams.stream.update',
  'POST /v1/streams/:id/layout': 'streams.stream.update',
  'GET /v1/streams/:id/layout': 'streams.stream.update',
  'POST /v1/streams/:id/tokens': 'streams.token.create',
  'GET /v1/streams/:id/tokens': 'streams.token.read',
  'DELETE /v1/streams/:id/tokens/:token_id': 'streams.token.delete',
  'GET /v1/media/edge': 'public',
  'POST /v1/media/edge/auth': 'signature',
  'POST /v1/media/edge/events': 'signature',
  'GET /v1/streams/realtime': 'joinToken',
  'GET /v1/webhooks/secret': 'webhooks.secret.read',
  'POST /v1/webhooks/secret/rotate': 'webhooks.secret.rotate',
  'GET /v1/webhooks/deliveries': 'webhooks.delivery.read',
  'GET /v1/webhooks/deliveries/:id': 'webhooks.delivery.read',
  'POST /v1/webhooks/deliveries/:id/retry': 'webhooks.delivery.retry',
  'GET /v1/webhooks/event-types': 'webhooks.endpoint.read',
  'GET /v1/webhooks/endpoints': 'webhooks.endpoint.read',
  'POST /v1/webhooks/endpoints': 'webhooks.endpoint.create',
  'GET /v1/webhooks/endpoints/:id': 'webhooks.endpoint.read',
  'PATCH /v1/webhooks/endpoints/:id': 'webhooks.endpoint.update',
  'DELETE /v1/webhooks/endpoints/:id': 'webhooks.endpoint.delete',
  'POST /v1/webhooks/endpoints/:id/pause': 'webhooks.endpoint.update',
  'POST /v1/webhooks/endpoints/:id/resume': 'webhooks.endpoint.update',
  'POST /v1/webhooks/endpoints/:id/test': 'webhooks.endpoint.update',
  'POST /v1/webhooks/endpoints/:id/redeliver': 'webhooks.delivery.retry',
  'GET /v1/webhooks/endpoints/:id/deliveries': 'webhooks.delivery.read',
  'GET /v1/webhooks/endpoints/:id/secret': 'webhooks.secret.read',
  'POST /v1/webhooks/endpoints/:id/secret/rotate': 'webhooks.secret.rotate',
}

interface Docs {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: unknown[] }>> }
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>> }
}

const recipe = fileURLToPath(new URL('recipes/control-plane.yaml', packageRoot))
let kernel: TestKernel
let ada: Person
test.before(async () => {
  kernel = await startTestKernel({ recipe, role: 'web' })
  ada = await kernel.register('ada@example.test')
})
test.after.always(() => kernel?.stop())

const mounted = () =>
  kernel.kernel.ports.http
    .endpoints()
    .filter(({ module, kind }) => ['sessions', 'streams', 'webhooks'].includes(module) && kind !== 'page')

test('mounts exactly the routes in the table, with their access rules', t => {
  const seen = mounted().map(({ method, path, allow }) => [`${method} ${path}`, allow.join(' ')])
  t.deepEqual(Object.fromEntries(seen), TABLE)
  t.is(seen.length, Object.keys(TABLE).length)
})

test('public routes need no credential, and only health is outside /v1', async t => {
  for (const path of ['/healthz', '/v1/capabilities', '/v1/media/edge', '/v1/streams/public'])
    t.is((await kernel.get(path)).status, 200, path)
  t.is((await kernel.get('/capabilities')).status, 404)
})

test('tenant.operator may call every protected route, and tenant.member none', async t => {
  const closed = mounted().filter(({ allow }) => allow.length === 1 && allow[0]?.includes('.'))
  t.true(closed.length > 20)
  const outcomes = async (roles: readonly string[]) => {
    const member = await colleague(kernel, ada, roles)
    const answers = closed.map(({ method, path }) =>
      member.call(method, path.replace(/:\w+/g, 'xxx_unknown'), method === 'POST' ? {} : undefined),
    )
    return (await Promise.all(answers)).map(({ status }, at) => `${closed[at]?.method} ${closed[at]?.path} ${status}`)
  }
  t.deepEqual(
    (await outcomes(['tenant.operator'])).filter(one => /(401|403|5\d\d)$/.test(one)),
    [],
  )
  t.deepEqual(
    (await outcomes(['tenant.member'])).filter(one => !one.endsWith('403')),
    [],
  )
})

test('accepts the example requests of the API documentation', async t => {
  const { body: docs } = await kernel.get<Docs>('/v1/platform/openapi.json')
  const example = (path: string) => {
    const name = docs.paths[path]?.post?.requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1)
    return docs.components.schemas[name ?? '']?.examples?.[0]
  }
  const send = (path: string, id = '') => ada.post<{ id: string }>(path.replace('{id}', id), example(path))
  t.is((await send('/v1/sessions')).status, 201)
  const { status, body } = await send('/v1/streams')
  t.is(status, 201)
  t.is((await send('/v1/streams/{id}/sources', body.id)).status, 201)
  t.is((await send('/v1/streams/{id}/layout', body.id)).status, 200)
  t.is((await send('/v1/streams/{id}/tokens', body.id)).status, 201)
})

test('ids have the prefix of their kind and sort by creation', async t => {
  const id = (prefix: string) => new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
  interface Me {
    readonly user: { id: string }
    readonly workspace: { id: string }
    readonly apiKeys: { id: string }[]
  }
  const { body: me } = await ada.get<Me>('/v1/me')
  t.regex(me.user.id, id('usr'))
  t.regex(me.workspace.id, id('ten'))
  t.regex(me.apiKeys[0]?.id ?? '', id('key'))
  const streams: string[] = []
  for (let at = 0; at < 3; at++) {
    streams.push((await ada.post<{ id: string }>('/v1/streams', {})).body.id)
    // Ids of the same millisecond are not ordered.
    for (const made = Date.now(); Date.now() === made; ) await new Promise(resolve => setTimeout(resolve, 1))
  }
  for (const stream of streams) t.regex(stream, id('ses'))
  t.deepEqual(streams.toSorted(), streams)
  const { body: source } = await ada.post<{ source_id: string }>(`/v1/streams/${streams[0]}/sources`, { kind: 'game' })
  t.regex(source.source_id, id('src'))
  const { body: token } = await ada.post<{ id: string }>(`/v1/streams/${streams[0]}/tokens`, { role: 'viewer' })
  t.regex(token.id, id('stk'))
  const { data } = await kernel.kernel.inspector.events.list({ tenantId: ada.tenantId, limit: 200 })
  t.true(data.length >= 3)
  for (const event of data) t.regex(event.id, id('evt'))
})

test('webhooks may call private hosts only if WEBHOOK_ALLOW_HOSTS lists them', async t => {
  const env = { WEBHOOK_ALLOW_HOSTS: 'localhost, 10.0.0.2:9000' }
  const allowed = await startTestKernel({ recipe, role: 'web', env })
  t.teardown(() => allowed.stop())
  const eve = await allowed.register('eve@example.test')
  const createSession = async (person: Person, webhook_url: string) =>
    (await person.post('/v1/sessions', { mode: 'stream', webhook_url })).status
  t.is(await createSession(eve, 'http://10.0.0.2:9000/hook'), 201)
  t.is(await createSession(eve, 'http://10.0.0.2:9001/hook'), 422)
  t.is(await createSession(eve, 'http://10.0.0.1/hook'), 422)
  t.is(await createSession(ada, 'http://10.0.0.2:9000/hook'), 422)
})
