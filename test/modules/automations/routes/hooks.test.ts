import { createHmac } from 'node:crypto'
import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { notesOf } from '../fixtures.ts'
import { SECRETS, shopRecipe } from './fixtures.ts'

const { kernel, people } = withPeople(test, { recipe: shopRecipe })

let deliveries = 0
const newId = () => `msg_${++deliveries}`
const now = () => Math.floor(Date.now() / 1000)
const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

async function deliver(hook: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${kernel.url}/v1/hooks/${hook}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: response.status, body: (await response.json()) as { started?: boolean; code?: string } }
}
function standardHeaders(body: string, { id = newId(), at = now(), secret = SECRETS.standard } = {}) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,AAAA v1,${signature}` }
}
const githubHeaders = (body: string, id = newId(), secret = SECRETS.github) => ({
  'x-hub-signature-256': `sha256=${hex(secret, body)}`,
  'x-github-delivery': id,
})
const stripeHeaders = (body: string, at = now(), secret = SECRETS.stripe) => ({
  'stripe-signature': `t=${at},v0=old,v1=${hex(secret, `${at}.${body}`)}`,
})
const operatorNotes = async () => {
  await kernel.settled()
  return notesOf(await people.operator())
}

test('a delivery of Standard Webhooks starts a run in the workspace of the operator, once', async t => {
  const body = JSON.stringify({ text: 'paid', other: true })
  const headers = standardHeaders(body)
  t.like(await deliver('standard', body, headers), { status: 202, body: { started: true } })
  t.like(await deliver('standard', body, headers), { status: 202, body: { started: false } })
  t.is((await operatorNotes()).filter(note => note === 'standard paid').length, 1)
})

test('a delivery that arrives twice at the same time starts one run', async t => {
  const body = JSON.stringify({ text: 'twice' })
  const headers = standardHeaders(body)
  const all = await Promise.all([1, 2, 3].map(() => deliver('standard', body, headers)))
  t.is(all.filter(({ body: { started } }) => started).length, 1)
})

test('an unsigned delivery, an old one and one of a former secret are refused', async t => {
  const body = JSON.stringify({ text: 'x' })
  const former = `whsec_${Buffer.from('the former key of a hook').toString('base64')}`
  const refused = [
    {},
    standardHeaders(body, { at: now() - 301 }),
    standardHeaders(body, { at: now() + 310 }),
    standardHeaders(body, { secret: former }),
    standardHeaders(`${body} `),
    { ...standardHeaders(body), 'webhook-id': 'another' },
    { ...standardHeaders(body), 'webhook-timestamp': 'soon' },
  ]
  for (const headers of refused)
    t.like(await deliver('standard', body, headers), { status: 400, body: { code: 'bad_signature' } })
})

test('a signed body that is no JSON, or has other types, is refused', async t => {
  const sent = async (body: string) => (await deliver('standard', body, standardHeaders(body))).status
  t.is(await sent('{'), 400)
  t.is(await sent(''), 400)
  t.is(await sent('[]'), 422)
  t.is(await sent('{}'), 422)
  t.is(await sent('{"text":5}'), 422)
  t.is(await sent('{"text":"a","count":1.5}'), 422)
  t.is(await sent('{"text":"a\\u0000"}'), 422)
})

test('a body of exactly 64 KiB starts a run that keeps it', async t => {
  const rest = '{"text":"large","more":""}'
  const body = rest.replace('""', `"${'x'.repeat(65_536 - rest.length)}"`)
  t.true((await deliver('standard', body, standardHeaders(body))).body.started)
  t.true((await operatorNotes()).includes('standard large'))
})

test('a body over 64 KiB is refused', async t => {
  const body = JSON.stringify({ text: 'x', more: 'x'.repeat(65_536) })
  t.is((await deliver('standard', body, standardHeaders(body))).status, 413)
})

test('a delivery without the conditions of the automation starts nothing', async t => {
  const body = JSON.stringify({ text: 'ignored' })
  t.like(await deliver('standard', body, standardHeaders(body)), { status: 202, body: { started: false } })
})

test('a delivery as GitHub signs it starts a run, once for its ID', async t => {
  const body = JSON.stringify({ action: 'opened' })
  const headers = githubHeaders(body)
  t.true((await deliver('github', body, headers)).body.started)
  t.false((await deliver('github', body, headers)).body.started)
  t.is((await deliver('github', body, githubHeaders(body, newId(), 'the former secret'))).status, 400)
  const { 'x-github-delivery': _, ...withoutId } = headers
  t.is((await deliver('github', body, withoutId)).status, 400)
  t.true((await operatorNotes()).includes('github opened'))
})

test('a delivery as Stripe signs it starts a run, once for its body', async t => {
  const body = JSON.stringify({ id: 'evt_1', type: 'charge.refunded' })
  t.true((await deliver('stripe', body, stripeHeaders(body))).body.started)
  t.false((await deliver('stripe', body, stripeHeaders(body, now() - 1))).body.started)
  t.is((await deliver('stripe', body, stripeHeaders(body, now() - 400))).status, 400)
  t.is((await deliver('stripe', body, stripeHeaders(body, now(), 'another secret, of 16'))).status, 400)
})

test('a delivery with the secret in its header starts a run each time', async t => {
  const body = JSON.stringify({ text: 'ping' })
  const authorization = `Bearer ${SECRETS.plain}`
  t.true((await deliver('plain', body, { authorization })).body.started)
  t.true((await deliver('plain', body, { authorization })).body.started)
  t.is((await deliver('plain', body, { authorization: SECRETS.plain })).status, 400)
  t.is((await deliver('plain', body, { authorization: 'Bearer another' })).status, 400)
})

test('a hook that the recipe does not have is missing', async t => {
  t.is((await deliver('refund', '{}')).status, 404)
  t.is((await deliver('nothing', '{}')).status, 404)
})
