import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { type Person, startTestKernel, type TestKernel, type TestResponse } from '../../../testing/index.ts'

interface Shown {
  id: string
  status: string
  to: string
  subject: string
  events: { type: string; at: string }[]
}
interface ProblemDocument {
  code: string
  errors?: { pointer: string }[]
}

const HELLO = '---\nsubject: Hello {{name}}\nsample: { name: Sam }\n---\n<p>Hello {{name}}</p>'
const MESSAGES = '/v1/communications/messages'
const SUPPRESSION = '/v1/communications/suppression'

const folder = mkdtempSync(join(tmpdir(), 'larder-comms-'))
const start = (env: Record<string, string> = {}): Promise<TestKernel> => {
  writeFileSync(join(folder, 'hello.hbs'), HELLO)
  const recipe = { modules: { identity: {}, comms: {} }, emails: { 'shop.hello': { template: './hello.hbs' } } }
  return startTestKernel({ recipe, folder, env })
}

let kernel: TestKernel
test.before(async () => {
  kernel = await start()
})
test.after.always(async () => {
  await kernel?.stop()
  rmSync(folder, { recursive: true, force: true })
})
let people = 0
/** Registers a user with a workspace. */
const person = () => kernel.register(`person-${++people}@example.test`)

const mail = (to = 'bob@example.test', data: object = { name: 'Bob' }) => ({ templateKey: 'shop.hello', to, data })
const send = (person: Person, ...given: Parameters<typeof mail>) => person.post(MESSAGES, mail(...given))
const problem = (answer: TestResponse<unknown>) => answer.body as ProblemDocument
/** The message after the worker has processed it. */
async function ended(person: Person, id: string): Promise<Shown> {
  await kernel.settled()
  return (await person.get(`${MESSAGES}/${id}`)).body
}

test('queues an email, sends it, and shows it in the mailbox', async t => {
  const ada = await person()
  const { status, body } = await send(ada, 'first@example.test')
  t.is(status, 202)
  t.like(body, { status: 'queued', to: 'first@example.test', subject: 'Hello Bob' })
  t.deepEqual(
    (await ended(ada, body.id)).events.map(({ type }) => type),
    ['queued', 'sending', 'sent'],
  )

  const kept = await kernel.get('/v1/communications/mailbox?filter[to]=first@example.test')
  t.is(kept.status, 200)
  t.like(kept.body.data[0], { subject: 'Hello Bob', messageId: body.id })
  const id = kept.body.data[0]?.id
  t.like((await kernel.get(`/v1/communications/mailbox/${id}`)).body, { text: 'Hello Bob' })
  t.regex((await kernel.get<string>('/mailbox')).body, new RegExp(`<a href="/mailbox/${id}">Hello Bob</a>`))
  const shown = await kernel.get<string>(`/mailbox/${id}`)
  t.regex(shown.body, /<iframe[^>]+srcdoc="[^"]*Hello Bob[^"]*" sandbox=/)
  t.regex(shown.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'; /)
  t.regex((await kernel.get<string>(`/mailbox/${id}?part=text`)).body, /<pre>Hello Bob<\/pre>/)
})

test('sends one welcome email after a registration', async t => {
  const { email } = await person()
  await kernel.settled()
  const { body } = await kernel.get(`/v1/communications/mailbox?filter[to]=${email}`)
  t.is(body.data.length, 1)
})

test('validates an email before it is queued', async t => {
  const ada = await person()
  const link = { $link: { path: '/x', purpose: 'invitation', id: 'inv_1', version: 1 } }
  for (const [body, code, pointer] of [
    [{ ...mail(), templateKey: 'shop.gone' }, 'unknown_template', undefined],
    [mail('bob@example.test', {}), 'template_failed', '/data/name'],
    [mail('bob@example.test, eve@evil.test'), 'invalid_address', '/to'],
    [mail('bob@example.test\r\nBcc: eve@evil.test'), 'invalid_address', '/to'],
    [mail('Bob <bob@example.test>'), 'invalid_address', '/to'],
    [mail('bob@example.test', { name: link }), 'link_in_data', '/data/name/$link'],
    [{ ...mail(), from: 'eve@evil.test' }, 'validation_failed', '/from'],
    [{ ...mail(), status: 'sent' }, 'validation_failed', '/status'],
    [{ ...mail(), to: ['bob@example.test', 'eve@evil.test'] }, 'validation_failed', '/to'],
    [{ to: 'bob@example.test' }, 'validation_failed', '/templateKey'],
    [{ ...mail(), data: 'x' }, 'validation_failed', '/data'],
  ] as const) {
    const answer = await ada.post(MESSAGES, body)
    t.is(answer.status, 422, JSON.stringify(answer.body))
    t.is(problem(answer).code, code)
    if (pointer) t.is(problem(answer).errors?.[0]?.pointer, pointer, code)
  }
  t.is((await ada.get(`${MESSAGES}?filter[to]=bob@example.test`)).body.data.length, 0)
})

test('returns 404 for messages of other tenants', async t => {
  const [ada, eve] = [await person(), await person()]
  const { id } = (await send(ada)).body
  const stop = await ada.post(SUPPRESSION, { email: 'x@example.test' })
  for (const [method, path] of [
    ['GET', `${MESSAGES}/${id}`],
    ['POST', `${MESSAGES}/${id}/retry`],
    ['GET', `${SUPPRESSION}/${stop.body.id}`],
    ['DELETE', `${SUPPRESSION}/${stop.body.id}`],
  ] as const) {
    const foreign = await eve.call(method, path)
    const unknown = await eve.call(method, path.replace(/(msg|sup)_\w+/, '$1_01h000000000000000000000000'.slice(0, 30)))
    t.deepEqual([foreign.status, problem(foreign).code], [404, 'not_found'], path)
    t.deepEqual([unknown.status, problem(unknown).code], [404, 'not_found'], path)
  }
  t.false((await eve.get(MESSAGES)).body.data.some(message => message.id === id))
  t.is((await eve.with({ 'x-tenant-id': ada.tenantId }).get(MESSAGES)).status, 403)
})

test('requires the permission of each route', async t => {
  const ada = await person()
  const made = await ada.with({ 'x-tenant-id': ada.tenantId }).post<{ key: string }>('/v1/identity/api-keys', {
    name: 'reader',
    permissions: ['communications.template.read'],
  })
  t.is(made.status, 201, JSON.stringify(made.body))
  const reader = kernel.as(made.body.key)
  t.is((await reader.get('/v1/communications/templates')).status, 200)
  for (const [method, path, body] of [
    ['GET', MESSAGES],
    ['POST', MESSAGES, mail()],
    ['POST', `${MESSAGES}/msg_x/retry`],
    ['GET', SUPPRESSION],
    ['POST', SUPPRESSION, { email: 'x@example.test' }],
    ['DELETE', `${SUPPRESSION}/sup_x`],
  ] as const) {
    const answer = await reader.call(method, path, body)
    t.deepEqual([answer.status, problem(answer).code], [403, 'forbidden'], `${method} ${path}`)
    t.is((await kernel.call(method, path, body)).status, 401)
  }
})

test('lists messages in pages and with filters', async t => {
  const ada = await person()
  await kernel.settled()
  const ids: string[] = []
  for (const to of ['a@example.test', 'b@example.test', 'c@example.test']) ids.push((await send(ada, to)).body.id)
  const list = (query: string) => ada.get(`${MESSAGES}?${query}`)
  const first = (await list('limit=2')).body
  const rest = (await list(`limit=200&cursor=${first.nextCursor}`)).body
  t.deepEqual([...first.data, ...rest.data].map(({ id }) => id).slice(0, 3), [...ids].sort().reverse())
  t.is(rest.nextCursor, null)
  t.deepEqual(
    (await list('filter[to]=B@example.test')).body.data.map(({ id }) => id),
    [ids[1] as string],
  )
  t.is((await list('sort=createdAt&limit=1')).body.data[0]?.to, ada.email)
  t.is((await list('filter[status]=failed')).body.data.length, 0)
  for (const [query, status] of [
    ['cursor=x', 400],
    ['cursor=WyJhIiwiYiJd', 400],
    ['filter[nope]=1', 400],
  ] as const)
    t.is((await list(query)).status, status, query)
})

test('replies 202 for a suppressed address, and sends again after its removal from the list', async t => {
  const ada = await person()
  const stop = (body: object) => ada.post(SUPPRESSION, body)
  const made = await stop({ email: 'Bob@Example.test' })
  t.is(made.status, 201)
  t.is(made.headers.get('location'), `${SUPPRESSION}/${made.body.id}`)
  t.like(made.body, { email: 'bob@example.test', category: 'all', reason: 'manual', expiresAt: null })
  const again = await stop({ email: 'bob@example.test', reason: 'asked', expiresAt: '2999-01-01T00:00:00Z' })
  t.deepEqual([again.status, again.body.id], [200, made.body.id])
  t.like(again.body, { reason: 'asked', expiresAt: '2999-01-01T00:00:00.000Z' })
  t.is((await stop({ email: 'not one, but two@example.test' })).status, 422)

  const sent = await send(ada)
  t.deepEqual([sent.status, sent.body.status], [202, 'suppressed'])
  const retry = () => ada.post(`${MESSAGES}/${sent.body.id}/retry`)
  t.is(problem(await retry()).code, 'still_suppressed')
  const over = await stop({ email: 'bob@example.test', expiresAt: '2020-01-01T00:00:00Z' })
  t.like(problem(over).errors?.[0], { pointer: '/expiresAt', code: 'past', detail: 'must be in the future' })
  t.is((await ada.get(`${SUPPRESSION}?filter[email]=bob@example.test`)).body.data.length, 1)
  t.is((await ada.delete(`${SUPPRESSION}/${made.body.id}`)).status, 204)
  t.is((await ada.delete(`${SUPPRESSION}/${made.body.id}`)).status, 404)
  t.is((await retry()).status, 202)
  t.is((await ended(ada, sent.body.id)).status, 'sent')
  const late = await retry()
  t.deepEqual([late.status, problem(late).code], [409, 'message_not_retryable'])
})

test('previews a template with sample data and with given data', async t => {
  const ada = await person()
  const { body } = await ada.get('/v1/communications/templates')
  t.true(body.data.some(({ key, source }) => key === 'shop.hello' && source === 'recipe'))
  const path = '/v1/communications/templates/shop.hello/preview'
  t.like((await ada.get(path)).body, { subject: 'Hello Sam', text: 'Hello Sam' })
  t.like((await ada.post(path, { data: { name: 'Eve' } })).body, { subject: 'Hello Eve' })
  const link = { $link: { path: '/x', purpose: 'invitation', id: 'inv_1', version: 1 } }
  t.is((await ada.post(path, { data: { name: link } })).status, 422)
  t.is((await ada.get(path.replace('hello', 'gone'))).status, 404)
})

test('closes the mailbox to proxied requests, and in production to all but the operator', async t => {
  const away = kernel.with({ 'x-forwarded-for': '203.0.113.7' })
  for (const path of ['/v1/communications/mailbox', '/v1/communications/mailbox/eml_x'])
    t.is((await away.get(path)).status, 401)
  for (const path of ['/mailbox', '/mailbox/eml_x']) t.not((await away.get(path)).status, 200)
  const real = await start({ NODE_ENV: 'production' })
  t.teardown(() => real.stop())
  t.is((await real.get('/v1/communications/mailbox')).status, 401)
  const ada = await real.register('ada@example.test')
  t.is((await ada.get('/v1/communications/mailbox')).status, 403)
})
