/** One trace over two processes' kernels: web and worker. */
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import anyTest, { type TestFn } from 'ava'
import { type Person, startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { newEmail } from '../../fixtures/people.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { type Receiver, startReceiver } from '../../modules/webhooks/receiver.ts'
import { type Collector, named, newTrace, pathOf, startCollector, type TestTrace } from './collector.ts'

interface Context {
  readonly collector: Collector
  readonly receiver: Receiver
  readonly web: TestKernel
  readonly worker: TestKernel
  readonly ada: Person
}
const test = anyTest as TestFn<Context>
const REQUEST = 'POST /v1/data/tickets'

const recipeFor = (url: string) => ({
  modules: {
    identity: {},
    comms: {},
    collections: {},
    automations: {},
    webhooks: { allowHosts: '127.0.0.1' },
  },
  collections: {
    tickets: { fields: { title: { type: 'text', required: true } } },
    copies: { fields: { title: { type: 'text', unique: true } } },
  },
  automations: {
    copied: {
      on: 'collections.tickets.created',
      steps: [
        { 'collections.create': { collection: 'copies', values: { title: '$row.title' } } },
        { 'webhooks.request': { url: `${url}/automation`, json: {} } },
      ],
    },
  },
})

test.before(async t => {
  const receiver = await startReceiver((request, response) => {
    response.writeHead(request.path === '/broken' ? 500 : 204).end()
  })
  const collector = await startCollector()
  const recipe = recipeFor(receiver.url)
  const web = await startTestKernel({ recipe, role: 'web' })
  const worker = await startTestKernel({ recipe, role: 'worker', database: web.databaseUrl })
  const ada = await web.register(newEmail())
  await web.settled()
  t.context = { collector, receiver, web, worker, ada }
})
test.after.always(async ({ context: { collector, receiver, web, worker } }) => {
  await worker?.stop()
  await web?.stop()
  await collector?.close()
  await receiver?.close()
})

const createTicket = ({ ada }: Context, { headers }: TestTrace, title = newEmail()) =>
  ada.post('/v1/data/tickets', { title }, { headers })
const spanIdOf = (span: ReadableSpan) => span.spanContext().spanId

test('a request continues the trace of its caller', async t => {
  const { collector } = t.context
  const trace = newTrace()
  t.is((await createTicket(t.context, trace)).status, 201)
  const request = named(await collector.spans(trace, REQUEST), REQUEST)
  t.is(request.parentSpanContext?.spanId, trace.spanId)
  t.is(request.kind, SpanKind.SERVER)
  t.like(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/data/tickets',
    'http.response.status_code': 201,
  })
  t.is(request.status.code, SpanStatusCode.UNSET)
})

test('statements are within the phases of their request', async t => {
  const trace = newTrace()
  await createTicket(t.context, trace)
  const spans = await t.context.collector.spans(trace, REQUEST)
  const paths = spans
    .filter(span => span.attributes['db.system.name'] === 'postgresql')
    .map(span => pathOf([span, ...spans], span.name).slice(1))
  const phases = paths.filter(path => path.at(-1) === REQUEST).map(path => path.slice(0, -1).join(' < '))
  t.true(phases.includes('http.authenticate'), phases.join(', '))
  t.true(phases.includes('http.handle'), phases.join(', '))
})

test('the statements of a request have no value of it', async t => {
  const trace = newTrace()
  await createTicket(t.context, trace, 'a secret title')
  const spans = await t.context.collector.spans(trace, REQUEST)
  t.true(spans.some(span => 'db.query.text' in span.attributes))
  t.false(JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes }))).includes('a secret title'))
})

test.serial('an event, the job and the steps that follow it continue the trace in the worker', async t => {
  const trace = newTrace()
  // Events of two traces in one batch have one delivery.
  await t.context.web.settled()
  await createTicket(t.context, trace)
  const spans = await t.context.collector.spans(trace, REQUEST, 'step webhooks.request', 'process automations.run')
  const path = pathOf(spans, 'step webhooks.request')
  t.deepEqual(path.slice(0, 3), [
    'step webhooks.request',
    'process automations.run',
    'process collections.tickets.created',
  ])
  t.is(path.at(-1), REQUEST)
  t.like(named(spans, 'process automations.run').attributes, {
    'messaging.operation.type': 'process',
    'messaging.destination.name': 'automations.run',
  })
  t.like(named(spans, 'step webhooks.request').attributes, { 'larder.automation.name': 'copied' })
})

test('requests of automations carry the trace', async t => {
  const { collector, receiver } = t.context
  const trace = newTrace()
  await createTicket(t.context, trace)
  const step = named(await collector.spans(trace, 'step webhooks.request'), 'step webhooks.request')
  const sent = receiver.received.map(({ headers }) => headers.traceparent)
  t.true(sent.includes(`00-${trace.id}-${spanIdOf(step)}-01`))
})

test.serial('a webhook continues the trace of its event, and carries it', async t => {
  const { ada, collector, receiver } = t.context
  const trace = newTrace()
  await ada.post('/v1/webhooks/endpoints', { url: `${receiver.url}/hooks`, events: ['collections.tickets.created'] })
  await t.context.web.settled()
  await createTicket(t.context, trace)
  const spans = await collector.spans(trace, REQUEST, 'POST')
  t.is(pathOf(spans, 'POST')[1], 'process collections.tickets.created')
  const webhook = named(spans, 'POST')
  t.like(webhook.attributes, { 'http.request.method': 'POST', 'http.response.status_code': 204 })
  const sent = receiver.received.filter(({ path }) => path === '/hooks').map(({ headers }) => headers.traceparent)
  t.true(sent.includes(`00-${trace.id}-${spanIdOf(webhook)}-01`))
})

test.serial('a webhook that the receiver fails is an error', async t => {
  const { ada, collector, receiver } = t.context
  const trace = newTrace()
  const { body } = await ada.post('/v1/webhooks/endpoints', { url: `${receiver.url}/broken`, events: ['identity.*'] })
  await ada.patch(`/v1/identity/tenants/${ada.tenantId}`, { name: 'Broken' }, { headers: trace.headers })
  const webhook = named(await collector.spans(trace, 'POST'), 'POST')
  t.is(webhook.status.code, SpanStatusCode.ERROR)
  t.like(webhook.attributes, { 'http.response.status_code': 500, 'error.type': '500' })
  await ada.delete(`/v1/webhooks/endpoints/${(body as { id: string }).id}`)
})

test('an email is sent in the trace of its request, without its address', async t => {
  const { ada, collector } = t.context
  const trace = newTrace()
  const email = newEmail()
  t.is((await ada.post('/v1/identity/members/invite', { email }, { headers: trace.headers })).status, 201)
  const spans = await collector.spans(trace, 'POST /v1/identity/members/invite', 'process comms.deliver')
  const mail = spans.find(span => 'larder.mail.id' in span.attributes) as ReadableSpan
  t.is(pathOf([mail, ...spans], mail.name)[1], 'process comms.deliver')
  t.is(pathOf(spans, 'process comms.deliver').at(-1), 'POST /v1/identity/members/invite')
  t.false(JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes }))).includes(email))
})

test('a refused request is no error, and names the phase and the problem', async t => {
  const { web, collector } = t.context
  const trace = newTrace()
  t.is((await web.get('/v1/data/tickets', { headers: trace.headers })).status, 401)
  const spans = await collector.spans(trace, 'GET /v1/data/tickets')
  t.like(named(spans, 'GET /v1/data/tickets'), {
    status: { code: SpanStatusCode.UNSET },
    attributes: { 'http.response.status_code': 401 },
  })
  t.is(named(spans, 'http.allow').attributes['error.type'], 'unauthenticated')
})

test('a page is traced until its response has been sent', async t => {
  const { web, collector } = t.context
  const trace = newTrace()
  const { status } = await fetch(`${web.url}/account`, { headers: trace.headers, redirect: 'manual' })
  t.is(status, 401)
  const request = named(await collector.spans(trace, 'GET /account'), 'GET /account')
  t.is(request.attributes['http.response.status_code'], 401)
})

test('an unknown path has no route, and is not in its span', async t => {
  const { web, collector } = t.context
  const trace = newTrace()
  t.is((await fetch(`${web.url}/secret-path`, { headers: trace.headers })).status, 404)
  const spans = await collector.spans(trace, 'GET')
  t.is(named(spans, 'GET').attributes['http.route'], undefined)
  t.false(JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes }))).includes('secret-path'))
})

test.serial('what a caller has not sampled is stored with its trace, and has no span', async t => {
  const { ada, collector, receiver, web } = t.context
  const trace = newTrace('00')
  await ada.post('/v1/webhooks/endpoints', {
    url: `${receiver.url}/unsampled`,
    events: ['collections.tickets.created'],
  })
  await createTicket(t.context, trace)
  await web.settled()
  const [sent] = await waitFor(
    () => receiver.received.filter(({ path }) => path === '/unsampled').map(({ headers }) => headers.traceparent),
    found => found.some(text => String(text).includes(trace.id)),
  )
  t.regex(String(sent), new RegExp(`^00-${trace.id}-[0-9a-f]{16}-00$`))
  t.deepEqual(
    collector.all().filter(span => span.spanContext().traceId === trace.id),
    [],
  )
})

test.serial('idle workers make no spans', async t => {
  const { collector, web } = t.context
  await web.settled()
  const orphans = collector.all().filter(span => !span.parentSpanContext && span.kind === SpanKind.CLIENT)
  t.deepEqual(
    orphans.map(span => span.name),
    [],
  )
})
