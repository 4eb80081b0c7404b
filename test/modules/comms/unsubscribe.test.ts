import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { type Person, startTestKernel, type TestKernel, type TestResponse } from '../../../testing/index.ts'
import { type SmtpFixture, startSmtp } from './smtp-server.ts'

const NEWS = '---\nsubject: News\ncategory: marketing\n---\n<p>News</p>'
const PLAIN = '---\nsubject: Plain\n---\n<p>Plain</p>'
const MESSAGES = '/v1/communications/messages'
const SUPPRESSION = '/v1/communications/suppression'

let kernel: TestKernel
let smtp: SmtpFixture
let owner: Person
const folder = mkdtempSync(join(tmpdir(), 'larder-unsubscribe-'))

test.before(async t => {
  smtp = await startSmtp({ ...t, teardown: () => {} } as never)
  writeFileSync(join(folder, 'news.hbs'), NEWS)
  writeFileSync(join(folder, 'plain.hbs'), PLAIN)
  const recipe = {
    modules: { identity: {}, comms: { from: 'Acme <hello@acme.test>', smtp: { url: smtp.url } } },
    emails: { 'shop.news': { template: './news.hbs' }, 'shop.plain': { template: './plain.hbs' } },
  }
  kernel = await startTestKernel({ recipe, folder })
  owner = await kernel.register('owner@example.test')
})
test.after.always(async () => {
  await kernel?.stop()
  await smtp?.stop()
  rmSync(folder, { recursive: true, force: true })
})

let readers = 0
const send = (to: string, templateKey = 'shop.news') => owner.post(MESSAGES, { templateKey, to })
const entries = async (email: string) => (await owner.get(`${SUPPRESSION}?filter[email]=${email}`)).body.data

/** Sends a marketing email to a new recipient, and returns its headers and the path of its link. */
async function reader() {
  const to = `reader-${++readers}@example.test`
  await send(to)
  await kernel.settled()
  const mail = smtp.received.find(received => received.to[0] === to)?.mail
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value
  const url = /^<(.+)>$/.exec(header('list-unsubscribe') ?? '')?.[1] ?? ''
  return { to, mail, header, url, path: url.replace(/^http:\/\/localhost:\d+/, '') }
}
/** Posts the form as an email provider does: without cookies and Origin. */
const click = (
  path: string,
  body: string | FormData | URLSearchParams = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
) => fetch(new URL(path, kernel.url), { method: 'POST', body, redirect: 'manual' })

test('adds unsubscribe links to the headers, footer and text of marketing emails', async t => {
  const { mail, header, url } = await reader()
  t.regex(url, /^http:\/\/localhost:8080\/v1\/communications\/unsubscribe\?token=ten_\w+\.msg_\w+\.[\w-]{43}$/)
  t.is(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  t.true(mail?.html?.includes('>Unsubscribe</a>'))
  t.true(mail?.text?.trim().endsWith(`Unsubscribe: ${url}`))
})

test('adds no unsubscribe links to other emails', async t => {
  await send('plain@example.test', 'shop.plain')
  await kernel.settled()
  const mail = smtp.received.find(received => received.to[0] === 'plain@example.test')?.mail
  t.is(mail?.subject, 'Plain')
  t.false(mail?.headers.some(({ key }) => key.startsWith('list-')))
  t.false(mail?.html?.includes('Unsubscribe'))
})

test('unsubscribes from marketing emails only, repeatedly and concurrently', async t => {
  const { to, path } = await reader()
  const answers = await Promise.all(Array.from({ length: 8 }, () => click(path)))
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  t.is((await click(path)).status, 200)
  const [entry, ...others] = await entries(to)
  t.like(entry, { email: to, category: 'marketing', reason: 'unsubscribed', expiresAt: null })
  t.deepEqual(others, [])
  t.is((await send(to)).body.status, 'suppressed')
  t.is((await send(to.toUpperCase())).body.status, 'suppressed')
  t.is((await send(to, 'shop.plain')).body.status, 'queued')
})

test('accepts a multipart form as one-click unsubscribe', async t => {
  const { to, path } = await reader()
  const parts = new FormData()
  parts.set('List-Unsubscribe', 'One-Click')
  t.is((await click(path, parts)).status, 200)
  t.is((await entries(to)).length, 1)
})

test('changes nothing on load, and unsubscribes and resubscribes by form', async t => {
  const { to, path } = await reader()
  const look = () => kernel.get<string>(path, { headers: { accept: 'text/html' } })
  const first = await look()
  t.is(first.status, 200)
  t.is(first.headers.get('referrer-policy'), 'no-referrer')
  t.is(first.headers.get('cache-control'), 'no-store')
  t.regex(first.body, /<h1>Unsubscribe<\/h1>/)
  t.regex(first.body, /to r•+@example\.test\?/)
  t.false(first.body.includes(to))
  t.deepEqual(await entries(to), [])

  const left = await click(path, new URLSearchParams({ action: 'unsubscribe' }))
  t.deepEqual([left.status, left.headers.get('location')], [303, path])
  t.regex((await look()).body, /You&#x27;re unsubscribed/)
  t.is((await entries(to)).length, 1)

  t.is((await click(path, new URLSearchParams({ action: 'resubscribe' }))).status, 303)
  t.regex((await look()).body, /<h1>Unsubscribe<\/h1>/)
  t.deepEqual(await entries(to), [])
  t.is((await send(to)).body.status, 'queued')
})

test('keeps other suppressions on resubscribe', async t => {
  const { to, path } = await reader()
  await owner.post(SUPPRESSION, { email: to, category: 'marketing', reason: 'asked by telephone' })
  await click(path)
  await click(path, new URLSearchParams({ action: 'resubscribe' }))
  t.like((await entries(to))[0], { reason: 'asked by telephone' })
})

test('outlasts a suppression that expires', async t => {
  const { to, path } = await reader()
  await owner.post(SUPPRESSION, { email: to, category: 'marketing', expiresAt: '2999-01-01T00:00:00Z' })
  await click(path)
  t.like((await entries(to))[0], { reason: 'unsubscribed', expiresAt: null })
})

test('rejects forged links', async t => {
  const { to, path } = await reader()
  const [tenant, message, signature = ''] = new URL(path, kernel.url).searchParams.get('token')?.split('.') ?? []
  const other = (await reader()).path.split('.').at(-1)
  const forged = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  for (const token of [
    '',
    'x',
    `${tenant}.${message}.${forged}`,
    `${tenant}.${message}.${other}`,
    `ten_00000000000000000000000000.${message}.${signature}`,
    `${tenant}.${message}`,
    `${tenant}.${message}.${signature}.x`,
    'a'.repeat(5000),
    '%00',
  ]) {
    const bad = `/v1/communications/unsubscribe?token=${encodeURIComponent(token)}`
    const answer = await click(bad)
    t.is(answer.status, 404, token)
    t.is(((await answer.json()) as { code: string }).code, 'bad_unsubscribe_link')
    const page: TestResponse<string> = await kernel.get<string>(bad, { headers: { accept: 'text/html' } })
    t.is(page.status, 404)
    t.regex(String(page.body), /This unsubscribe link is invalid/)
  }
  t.is((await click('/v1/communications/unsubscribe')).status, 404)
  t.deepEqual(await entries(to), [])
})

test('rejects large bodies', async t => {
  const { path } = await reader()
  t.is((await click(path, 'x'.repeat(20_000))).status, 413)
})
