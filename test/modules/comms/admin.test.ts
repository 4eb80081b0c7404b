/** The suppression import and the content of sent emails. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { TestResponse } from '../../../testing/index.ts'
import { withPeople } from '../../fixtures/with-people.ts'

interface ProblemDocument {
  code: string
  errors?: { pointer: string; code: string }[]
}

const SUPPRESSION = '/v1/communications/suppression'
const MESSAGES = '/v1/communications/messages'
const folder = mkdtempSync(join(tmpdir(), 'larder-comms-admin-'))
const problem = (answer: TestResponse<unknown>) => answer.body as ProblemDocument

test.after.always(() => rmSync(folder, { recursive: true, force: true }))

const { kernel, ada, bob } = withPeople(
  test,
  () => {
    writeFileSync(join(folder, 'hello.hbs'), '---\nsubject: Hello {{name}}\n---\n<p>Hello {{name}}</p>')
    const recipe = { modules: { identity: {}, comms: {} }, emails: { 'shop.hello': { template: './hello.hbs' } } }
    return { recipe, folder }
  },
  { ada: 'owner', bob: 'owner' },
)

test('imports addresses, and replaces those that are on the list', async t => {
  const entries = [
    { email: 'One@example.test', reason: 'old list' },
    { email: 'two@example.test', category: 'marketing', expiresAt: '2099-01-01T00:00:00Z' },
    { email: 'one@EXAMPLE.test', reason: 'newer list' },
  ]
  const first = await ada.post(`${SUPPRESSION}/import`, { entries })
  t.is(first.status, 200)
  t.deepEqual(first.body, { created: 2, updated: 0 })
  const again = await ada.post(`${SUPPRESSION}/import`, { entries: entries.slice(0, 1) })
  t.deepEqual(again.body, { created: 0, updated: 1 })
  const { body } = await ada.get(`${SUPPRESSION}?filter[email]=one@example.test`)
  t.deepEqual(
    body.data.map(({ reason }) => reason),
    ['old list'],
  )
  t.is((await bob.get(SUPPRESSION)).body.data.length, 0)
})

test('imports the category and the expiry, and the last of two entries for an address', async t => {
  const email = 'three@example.test'
  const entries = [
    { email, category: 'marketing', reason: 'first' },
    { email, category: 'marketing', reason: 'last', expiresAt: '2099-01-01T00:00:00Z' },
  ]
  await ada.post(`${SUPPRESSION}/import`, { entries })
  const { body } = await ada.get(`${SUPPRESSION}?filter[email]=${email}`)
  t.deepEqual(
    body.data.map(({ category, reason, expiresAt }) => [category, reason, expiresAt]),
    [['marketing', 'last', '2099-01-01T00:00:00.000Z']],
  )
})

test('imports nothing if an entry is invalid, and lists every error', async t => {
  const entries = [
    { email: 'fine@example.test' },
    { email: 'not an address' },
    { email: 'late@example.test', expiresAt: '2001-01-01T00:00:00Z' },
  ]
  const refused = await ada.post(`${SUPPRESSION}/import`, { entries })
  t.is(refused.status, 422)
  t.deepEqual(
    problem(refused).errors?.map(({ pointer }) => pointer),
    ['/entries/1/email', '/entries/2/expiresAt'],
  )
  t.is((await ada.get(`${SUPPRESSION}?filter[email]=fine@example.test`)).body.data.length, 0)
})

test('rejects an import of the wrong type, and one that is empty or too long', async t => {
  for (const entries of ['ada@example.test', [], Array.from({ length: 1001 }, () => ({ email: 'a@example.test' }))])
    t.is(problem(await ada.post(`${SUPPRESSION}/import`, { entries })).code, 'validation_failed')
})

test('renders a sent email for its own workspace only', async t => {
  const sent = await ada.post(MESSAGES, {
    templateKey: 'shop.hello',
    to: 'carol@example.test',
    data: { name: 'Carol <b>' },
  })
  const { status, body } = await ada.get(`${MESSAGES}/${sent.body.id}/content`)
  t.is(status, 200)
  t.is(body.subject, 'Hello Carol <b>')
  t.regex(body.html, /Hello Carol &lt;b&gt;/)
  t.is(problem(await bob.get(`${MESSAGES}/${sent.body.id}/content`)).code, 'not_found')
})

test('does not reveal the tokens of links', async t => {
  const invited = await ada.post('/v1/identity/members/invite', {
    email: 'dora@example.test',
    roles: ['tenant.member'],
  })
  t.is(invited.status, 201)
  await kernel.settled()
  const { body } = await ada.get(`${MESSAGES}?filter[to]=dora@example.test`)
  const { status, body: content } = await ada.get(`${MESSAGES}/${body.data[0]?.id}/content`)
  t.is(status, 200)
  t.regex(content.html, /invitations\/accept/)
  t.notRegex(content.html + content.text, /token=/)
})

test('needs permissions for the import and for the content', async t => {
  const { body } = await ada.post<{ key: string }>('/v1/identity/api-keys', {
    name: 'reader',
    permissions: ['communications.message.read', 'communications.suppression.read'],
  })
  const reader = kernel.as(body.key)
  t.is((await reader.post(`${SUPPRESSION}/import`, { entries: [{ email: 'x@example.test' }] })).status, 403)
  t.is((await reader.get(`${MESSAGES}/msg_1/content`)).status, 403)
})
