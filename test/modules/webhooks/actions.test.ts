import test from 'ava'
import { ACTIONS, mistakesOf, runAction } from '../../fixtures/actions.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { startReceiver } from './receiver.ts'

const { kernel, ada } = withPeople(test, ACTIONS, { ada: 'owner' })

const request = (input: object, more: object = {}) =>
  runAction(kernel.kernel, 'webhooks.request', input as Readonly<Record<string, unknown>>, {
    tenantId: ada.tenantId,
    ...more,
  })

test('sends JSON, and returns the response', async t => {
  const receiver = await startReceiver((_, response) => {
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":7}')
  })
  t.teardown(receiver.close)
  const output = await request(
    { url: `${receiver.url}/tickets`, json: { title: 'Chair' }, headers: { Authorization: 'Bearer secret' } },
    { key: 'run_1:2' },
  )
  t.deepEqual(output, { status: 201, body: '{"id":7}', json: { id: 7 } })
  const [got] = receiver.received
  t.like(got, { method: 'POST', path: '/tickets', body: '{"title":"Chair"}' })
  t.like(got?.headers, {
    'content-type': 'application/json',
    'idempotency-key': 'run_1:2',
    authorization: 'Bearer secret',
  })
})

test('a repetition has the same idempotency key', async t => {
  const receiver = await startReceiver()
  t.teardown(receiver.close)
  for (const attempt of [1, 2]) await request({ url: receiver.url }, { key: 'run_1:2', attempt })
  t.deepEqual(
    receiver.received.map(({ headers }) => headers['idempotency-key']),
    ['run_1:2', 'run_1:2'],
  )
})

test('sends the fields of a form', async t => {
  const receiver = await startReceiver()
  t.teardown(receiver.close)
  await request({ url: receiver.url, method: 'PUT', form: { to: '+49 1', text: 'a&b=c', urgent: true } })
  t.like(receiver.received[0], { method: 'PUT', body: 'to=%2B49+1&text=a%26b%3Dc&urgent=true' })
})

test('keeps 8 KiB of a response', async t => {
  const receiver = await startReceiver((_, response) => void response.writeHead(200).end('x'.repeat(100_000)))
  t.teardown(receiver.close)
  const { status, body, json } = (await request({ url: receiver.url })) as Record<string, unknown>
  t.is(status, 200)
  t.is(String(body).length, 8192)
  t.is(json, null)
})

for (const [status, expected] of [
  [500, 502],
  [503, 502],
  [429, 502],
  [404, 422],
  [400, 422],
] as const)
  test(`a response with ${status} ${expected === 502 ? 'is tried again' : 'ends the step'}`, async t => {
    const receiver = await startReceiver((_, response) => {
      response.writeHead(status, { 'content-type': 'text/plain' }).end('No, thanks')
    })
    t.teardown(receiver.close)
    const problem = await problemOf(t, request({ url: receiver.url }))
    t.is(problem.status, expected)
    t.true(problem.message.includes(`${status} (text/plain)`))
    t.false(problem.message.includes('No, thanks'))
  })

test('follows no redirect', async t => {
  const target = await startReceiver()
  const receiver = await startReceiver((_, response) => void response.writeHead(302, { location: target.url }).end())
  t.teardown(receiver.close)
  t.teardown(target.close)
  t.is((await problemOf(t, request({ url: receiver.url }))).code, 'request_refused')
  t.is(target.received.length, 0)
})

test('a server that hangs is left when the attempt ends', async t => {
  const receiver = await startReceiver(() => {})
  t.teardown(receiver.close)
  const attempt = new AbortController()
  const failed = problemOf(t, request({ url: receiver.url }, { signal: attempt.signal }))
  await receiver.came(1)
  attempt.abort()
  t.is((await failed).code, 'request_failed')
})

test('a server that does not exist is tried again', async t => {
  const receiver = await startReceiver()
  await receiver.close()
  t.is((await problemOf(t, request({ url: receiver.url }))).code, 'request_failed')
})

test('reaches no private address', async t => {
  for (const host of ['169.254.169.254', '10.0.0.1', '[::ffff:169.254.169.254]']) {
    const problem = await problemOf(t, request({ url: `http://${host}/latest` }))
    t.is(problem.code, 'request_refused', host)
  }
})

test('rejects parts of a path that lead out of it, and headers that end early', async t => {
  const receiver = await startReceiver()
  t.teardown(receiver.close)
  const code = async (input: object) => (await problemOf(t, request({ url: receiver.url, ...input }))).code
  t.is(await code({ url: `${receiver.url}/users/../admin` }), 'invalid_request')
  t.is(await code({ url: `${receiver.url}/users/%2e%2E/admin` }), 'invalid_request')
  t.is(await code({ headers: { 'x-name': 'a\r\nhost: evil.test' } }), 'invalid_request')
  t.is(await code({ headers: { 'Idempotency-Key': 'mine' } }), 'invalid_request')
  t.is(receiver.received.length, 0)
})

test('the check wants a scheme and a host that are written out', t => {
  const check = (url: string) => mistakesOf(kernel.kernel, 'webhooks.request', { url }).length
  for (const url of [
    '$row.url',
    '{{row.url}}',
    'https://{{row.host}}/tickets',
    'https://api.example.com{{row.more}}',
    'https://api.example.com:{{row.port}}/',
    'https://user:{{row.name}}@example.com/',
    'https://example.com\\@{{row.host}}/',
    '{{row.scheme}}://example.com/',
    'ftp://example.com/',
    'example.com',
  ])
    t.is(check(url), 1, url)
  for (const url of [
    'https://api.example.com',
    'https://api.example.com/tickets/{{row.number}}?q={{row.title}}',
    'http://localhost:8080/',
    'https://api.example.com?q={{row.title}}',
  ])
    t.is(check(url), 0, url)
})

test('the check finds headers and bodies that the action does not send', t => {
  const check = (input: object) =>
    mistakesOf(kernel.kernel, 'webhooks.request', { url: 'https://example.com/', ...input })
  t.deepEqual(check({ headers: { Host: 'x', 'X Y': 'z' } }), [
    'invalid_header headers.Host: The header Host is set by the action. Remove it',
    'invalid_header headers.X Y: "X Y" is not the name of a header. ',
  ])
  t.deepEqual(check({ json: 1, form: {} }), ['invalid_body form: The step has json and form. Write one of them'])
  t.deepEqual(check({ json: 1, method: 'GET' }), ['invalid_body json: A GET request has no body. Use method: POST'])
})
