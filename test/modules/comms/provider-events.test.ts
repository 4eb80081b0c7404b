import { generateKeyPairSync, sign } from 'node:crypto'
import test from 'ava'
import { DAY, MINUTE } from '../../../kernel/base/units.ts'
import { UNSUBSCRIBE_PATH, unsubscribeUrl } from '../../../modules/comms/services/unsubscribe-service.ts'
import { type Person, startTestKernel, type TestKernel } from '../../../testing/index.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const MESSAGES = '/v1/communications/messages'
const clock = { at: Date.UTC(2026, 0, 1), now: () => clock.at }

let kernel: TestKernel
let owner: Person
test.before(async () => {
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const recipe = { modules: { identity: {}, comms: { intake: { sendgrid: { publicKey: key } } } } }
  kernel = await startTestKernel({ recipe, clock })
  owner = await kernel.register('owner@example.test')
})
test.after.always(() => kernel?.stop())

let recipients = 0
let ids = 0
/** Sends an email. */
async function sent(to = `reader-${++recipients}@example.test`) {
  const { body } = await owner.post(MESSAGES, { templateKey: 'comms.test', to, data: { note: 'x' } })
  await kernel.settled()
  return { id: body.id, to }
}
const show = async (id: string) => (await owner.get(`${MESSAGES}/${id}`)).body
const entries = async (email: string) =>
  (await owner.get(`/v1/communications/suppression?filter[email]=${email}`)).body.data
const event = (id: string, name: string, more: object = {}) => ({
  event: name,
  larder_message: id,
  sg_event_id: `e${++ids}`,
  timestamp: Math.floor(clock.now() / 1000),
  ...more,
})
const HARD = { type: 'bounce', reason: '550 no such user' }

async function post(events: unknown, change: (headers: Record<string, string>) => void = () => {}, late = 0) {
  const body = JSON.stringify(events)
  const time = String(Math.floor((clock.now() - late) / 1000))
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-twilio-email-event-webhook-timestamp': time,
    'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(time + body), privateKey).toString('base64'),
  }
  change(headers)
  const url = new URL('/v1/communications/intake/sendgrid', kernel.url)
  const response = await fetch(url, { method: 'POST', headers, body })
  const answer = (await response.json()) as { received?: number; new?: number; code?: string }
  await kernel.settled()
  return { status: response.status, ...answer }
}

test.serial('records a delivery', async t => {
  const { id } = await sent()
  t.like(await post([event(id, 'delivered', { response: '250 OK' })]), { status: 200, received: 1, new: 1 })
  const { status, events } = await show(id)
  t.is(status, 'delivered')
  t.like(events.at(-1), { type: 'delivered', detail: '250 OK', at: '2026-01-01T00:00:00.000Z' })
})

test.serial('suppresses an address for 30 days after a hard bounce, but not after a soft one', async t => {
  const [hard, soft] = [await sent(), await sent()]
  await post([event(hard.id, 'bounce', HARD), event(soft.id, 'bounce', { type: 'blocked', reason: '452 full' })])
  t.is((await show(hard.id)).status, 'bounced')
  t.is((await show(soft.id)).status, 'bounced')
  t.like((await entries(hard.to))[0], {
    category: 'all',
    reason: 'hard_bounce',
    expiresAt: new Date(clock.now() + 30 * DAY).toISOString(),
  })
  t.deepEqual(await entries(soft.to), [])
  t.is((await show((await sent(hard.to)).id)).status, 'suppressed')
})

test.serial('a bounce that is reported again under another id suppresses no address that was released', async t => {
  const { id, to } = await sent()
  const bounce = event(id, 'bounce', HARD)
  await post([bounce])
  const [entry] = await entries(to)
  const { status } = await owner.delete(`/v1/communications/suppression/${entry?.id}`)
  t.is(status, 204)
  t.is((await post([{ ...bounce, sg_event_id: `e${++ids}` }])).new, 1)
  t.deepEqual(await entries(to), [])
  t.is((await show(id)).events.filter(({ type }) => type === 'bounced').length, 1)
})

test.serial(
  'an unsubscription that is reported again under another id suppresses no address that was released',
  async t => {
    const { id, to } = await sent()
    const left = event(id, 'unsubscribe')
    await post([left])
    const [entry] = await entries(to)
    await owner.delete(`/v1/communications/suppression/${entry?.id}`)
    t.is((await post([{ ...left, sg_event_id: `e${++ids}` }])).new, 1)
    t.deepEqual(await entries(to), [])
    t.is((await show(id)).events.filter(({ type }) => type === 'unsubscribed').length, 1)
  },
)

test.serial('an unsubscription that arrives after the person has subscribed again has no effect', async t => {
  const { id, to } = await sent()
  const link = unsubscribeUrl(kernel.kernel.ports, { tenantId: owner.tenantId, id })
  const { search } = new URL(link)
  await post([event(id, 'unsubscribe')])
  t.is((await entries(to)).length, 1)
  const late = event(id, 'group_unsubscribe', { timestamp: Math.floor(clock.now() / 1000) + 1 })
  clock.at += MINUTE
  const body = new URLSearchParams({ action: 'resubscribe' })
  await fetch(new URL(`${UNSUBSCRIBE_PATH}${search}`, kernel.url), { method: 'POST', body, redirect: 'manual' })
  t.deepEqual(await entries(to), [])
  await post([late])
  t.deepEqual(await entries(to), [])
  clock.at += MINUTE
  await post([event(id, 'unsubscribe')])
  t.like((await entries(to))[0], { reason: 'unsubscribed', expiresAt: null })
})

test.serial(
  'a complaint about a message that bounced suppresses no address that was released, when it is repeated',
  async t => {
    const { id, to } = await sent()
    await post([event(id, 'bounce', HARD)])
    const complaint = event(id, 'spamreport')
    await post([complaint])
    const [entry] = await entries(to)
    await owner.delete(`/v1/communications/suppression/${entry?.id}`)
    await post([{ ...complaint, sg_event_id: `e${++ids}` }])
    t.deepEqual(await entries(to), [])
  },
)

test.serial('suppresses every email permanently after a complaint, even with a later bounce', async t => {
  const { id, to } = await sent()
  await post([event(id, 'delivered')])
  await post([event(id, 'spamreport')])
  await post([event(id, 'bounce', HARD)])
  t.is((await show(id)).status, 'complained')
  t.like((await entries(to))[0], { category: 'all', reason: 'complaint', expiresAt: null })
})

test.serial('suppresses marketing emails after an unsubscription at the provider', async t => {
  const { id, to } = await sent()
  await post([event(id, 'unsubscribe')])
  t.is((await show(id)).status, 'sent')
  t.like((await entries(to))[0], { category: 'marketing', reason: 'unsubscribed' })
})

test.serial('processes a repeated event once: in one batch, in two, and concurrently', async t => {
  const { id } = await sent()
  const same = event(id, 'delivered')
  t.like(await post([same, same]), { received: 2, new: 1 })
  t.like(await post([same]), { received: 1, new: 0 })
  const other = event(id, 'bounce', HARD)
  const answers = await Promise.all(Array.from({ length: 6 }, () => post([other, same])))
  t.is(
    answers.reduce((sum, answer) => sum + (answer.new ?? 0), 0),
    1,
  )
  t.deepEqual(
    (await show(id)).events.map(({ type }) => type),
    ['queued', 'sending', 'sent', 'delivered', 'bounced'],
  )
})

test.serial('reaches the same state with events out of order', async t => {
  const { id } = await sent()
  await post([event(id, 'spamreport')])
  await post([event(id, 'delivered', { timestamp: Math.floor(clock.now() / 1000) - 60 })])
  t.is((await show(id)).status, 'complained')
})

test.serial('counts from the time of an event that arrives one day late', async t => {
  const { id, to } = await sent()
  const at = clock.now()
  clock.at += DAY
  const late = event(id, 'bounce', { ...HARD, timestamp: at / 1000 })
  t.is((await post([late], undefined, DAY)).status, 200)
  t.is((await entries(to))[0]?.expiresAt, new Date(at + 30 * DAY).toISOString())
})

test.serial('stores events of unknown messages without effect', async t => {
  const before = await entries('')
  const unknown = 'msg_01h455vb4pex5vsknk084sn02q'
  const answer = await post([event(unknown, 'spamreport'), { event: 'bounce', sg_event_id: 'x', email: 'a@b.test' }])
  t.like(answer, { status: 200, new: 2 })
  t.deepEqual(await entries(''), before)
})

test.serial('rejects events without a valid signature', async t => {
  const { id } = await sent()
  const events = [event(id, 'delivered')]
  const SIGNATURE = 'x-twilio-email-event-webhook-signature'
  for (const change of [
    (headers: Record<string, string>) => delete headers[SIGNATURE],
    (headers: Record<string, string>) => {
      headers[SIGNATURE] = Buffer.from('forged').toString('base64')
    },
    (headers: Record<string, string>) => {
      headers['x-twilio-email-event-webhook-timestamp'] = '1'
    },
  ])
    t.like(await post(events, headers => void change(headers)), { status: 400, code: 'bad_signature' })
  t.is((await show(id)).status, 'sent')
})

test.serial('rejects malformed bodies, large bodies and unknown providers', async t => {
  t.like(await post({ no: 'list' }), { status: 400, code: 'malformed' })
  t.is((await post(['x'.repeat(1024 * 1024)])).status, 413)
  t.is((await kernel.post('/v1/communications/intake/nobody', [])).status, 404)
  t.is((await kernel.get('/v1/communications/intake/sendgrid')).status, 405)
})

test.serial('processes a batch of 500 events', async t => {
  const { id } = await sent()
  const many = Array.from({ length: 499 }, () => event('msg_01h455vb4pex5vsknk084sn02q', 'delivered'))
  t.like(await post([...many, event(id, 'delivered')]), { status: 200, new: 500 })
  t.is((await show(id)).status, 'delivered')
})
