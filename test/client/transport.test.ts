import test from 'ava'
import { LarderError } from '../../bin/client/runtime/errors.ts'
import type { ClientOptions } from '../../bin/client/runtime/options.ts'
import { createTransport } from '../../bin/client/runtime/transport.ts'
import { fakeFetch, json, problem } from './fixtures.ts'

const transportOf = (responses: readonly (() => Response)[], more: Partial<ClientOptions> = {}) => {
  const { fetch, requests } = fakeFetch(...responses)
  const options = { baseUrl: 'https://acme.example/', token: 'dt_1', fetch: fetch as typeof globalThis.fetch, ...more }
  return { ...createTransport(options as ClientOptions), requests }
}
const get = { method: 'GET', path: '/v1/things' }
const post = { method: 'POST', path: '/v1/things', json: { a: 1 } }
const soon = { 'retry-after': '0' }

test('sends the credential, the tenant and the query', async t => {
  const { send, requests } = transportOf([json(200, { ok: true })], { tenant: () => 'acme', headers: { 'x-app': '1' } })
  t.deepEqual(
    await send({
      ...get,
      takesTenant: true,
      query: { filter: { status: 'a b' }, sort: ['-at', 'id'], cursor: undefined },
    }),
    { ok: true },
  )
  const [{ url, headers }] = requests as [(typeof requests)[0]]
  t.is(url, 'https://acme.example/v1/things?filter%5Bstatus%5D=a%20b&sort=-at%2Cid')
  t.like(headers, { authorization: 'Bearer dt_1', 'x-tenant-id': 'acme', 'x-app': '1' })
})

test('sends an API key in its header, and no tenant to operations without one', async t => {
  const { send, requests } = transportOf([json(200, {})], {
    token: undefined,
    apiKey: async () => 'acme_live_1',
    tenant: 'acme',
  } as never)
  await send(get)
  t.is(requests[0]?.headers['x-api-key'], 'acme_live_1')
  t.false('x-tenant-id' in (requests[0]?.headers ?? {}))
})

test('throws problems with their code, fields and members', async t => {
  const errors = [{ pointer: '/a', code: 'required', detail: 'is required' }]
  const { send } = transportOf([problem(422, 'validation_failed', { errors, requestId: 'req_1', hint: 'x' })])
  const error = await t.throwsAsync<LarderError>(async () => send(post), { instanceOf: LarderError })
  t.like(error, { code: 'validation_failed', status: 422, requestId: 'req_1', errors, message: 'validation_failed.' })
  t.is(error?.problem.hint, 'x')
})

test('returns a result instead of throwing', async t => {
  const { send } = transportOf([problem(404, 'not_found'), json(200, { a: 1 }, { etag: '"1"' })])
  const missing = await send(get).safe()
  t.like(missing, { ok: false, data: undefined })
  t.is(missing.error?.code as string, 'not_found')
  t.deepEqual(await send<object, never>(get).safe(), { ok: true, data: { a: 1 }, error: undefined })
})

test('returns the ETag with the response', async t => {
  const { send } = transportOf([json(201, { a: 1 }, { etag: '"1"', 'x-request-id': 'req_1' })])
  const { data, response } = await send(post).withResponse()
  t.deepEqual(data, { a: 1 })
  t.like(response, { status: 201, etag: '"1"', requestId: 'req_1' })
})

test('repeats reads after 503, and waits as long as Retry-After', async t => {
  const { send, requests } = transportOf([
    problem(503, 'unavailable', {}, soon),
    problem(429, 'rate_limited', {}, soon),
    json(200, {}),
  ])
  await send(get)
  t.is(requests.length, 3)
})

test('repeats a write with the same idempotency key', async t => {
  const { send, requests } = transportOf([
    problem(503, 'unavailable', {}, soon),
    problem(409, 'idempotency_in_progress', {}, soon),
    json(201, {}),
  ])
  await send({ ...post, takesIdempotencyKey: true })
  const keys = requests.map(({ headers }) => headers['idempotency-key'])
  t.is(new Set(keys).size, 1)
  t.regex(keys[0] ?? '', /^[0-9a-f-]{36}$/)
})

test('repeats a write without a key only if it had no effect', async t => {
  const refused = transportOf([problem(429, 'rate_limited', {}, soon), json(201, {})])
  await refused.send(post)
  t.is(refused.requests.length, 2)
  const failed = transportOf([problem(503, 'unavailable', {}, soon)])
  await t.throwsAsync(async () => failed.send(post))
  t.is(failed.requests.length, 1)
})

test('does not repeat a write with If-Match, which would fail with 412', async t => {
  const { send, requests } = transportOf([problem(503, 'unavailable', {}, soon)])
  await t.throwsAsync(async () => send({ method: 'PATCH', path: '/v1/a', json: {} }, { ifMatch: '"1"' }))
  t.is(requests.length, 1)
  t.is(requests[0]?.headers['if-match'], '"1"')
})

test('does not wait minutes, and repeats at most as often as it may', async t => {
  const patient = transportOf([problem(429, 'rate_limited', {}, { 'retry-after': '600' })])
  const error = await t.throwsAsync<LarderError>(async () => patient.send(get))
  t.is(error?.retryAfterMs, 600_000)
  t.is(patient.requests.length, 1)
  const often = transportOf([problem(503, 'unavailable', {}, soon)])
  await t.throwsAsync(async () => often.send(get, { retries: 1 }))
  t.is(often.requests.length, 2)
})

test('reports a connection that fails, a timeout, and a response of another server', async t => {
  const codeOf = async (responses: (() => Response)[], options = {}) => {
    const { error } = await transportOf(responses)
      .send(get, { retries: 0, ...options })
      .safe()
    return error?.code as string
  }
  t.is(
    await codeOf([
      () => {
        throw new TypeError('fetch failed')
      },
    ]),
    'network_error',
  )
  t.is(await codeOf([() => new Response('<html>Bad gateway</html>', { status: 502 })]), 'invalid_response')
  t.is(await codeOf([() => new Response('<html>Captive portal</html>')]), 'invalid_response')
  const fetch = (_: string, { signal }: { signal: AbortSignal }) =>
    new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  const { send } = createTransport({ baseUrl: 'http://a', fetch: fetch as typeof globalThis.fetch })
  t.is((await send(get, { retries: 0, timeoutMs: 5 }).safe()).error?.code as string, 'timeout')
})

test('rejects with the reason of an aborted signal', async t => {
  const abort = new AbortController()
  const { send } = transportOf([problem(503, 'unavailable', {}, { 'retry-after': '20' })])
  const call = send(get, { signal: abort.signal })
  setTimeout(() => abort.abort(new Error('changed my mind')), 5)
  await t.throwsAsync(async () => call.safe(), { message: 'changed my mind' })
})

test('sends bodies that are not JSON as they are, and returns responses that are not', async t => {
  const { send } = transportOf([() => new Response('a,b'), () => new Response('bytes', { status: 206 })])
  t.is(await send({ ...get, reply: 'text' }), 'a,b')
  const response = await send<Response, never>({ ...get, reply: 'response' })
  t.is(response.status, 206)
})

test('needs an address outside of pages', t => {
  t.throws(() => createTransport({}), { message: /needs a baseUrl/ })
})
