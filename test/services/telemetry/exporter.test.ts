/** Collectors that refuse, hang or respond slowly. */

import { tracingChannel } from 'node:diagnostics_channel'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { createWorkChannel, currentContext, traceFields } from '../../../kernel/internal.ts'
import { openTracing } from '../../../services/telemetry/tracing.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { newTrace, startCollector as startInMemory } from './collector.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly lost?: number
}
interface Collector {
  readonly endpoint: string
  /** Paths of the exports that it received. */
  readonly received: string[]
  /** Answers from now on. */
  answer: RequestListener
}

async function startCollector(t: ExecutionContext, answer: RequestListener): Promise<Collector> {
  const collector = { endpoint: '', received: [] as string[], answer }
  const server = createServer((request, response) => {
    request.resume()
    collector.received.push(`${request.headers['content-type']} ${request.url}`)
    collector.answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  collector.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  return collector
}

/** Traces to a collector, and returns the lines of the log. */
async function open(endpoint: string, env: Readonly<Record<string, string>> = {}) {
  const lines: Line[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const settings = { OTEL_BSP_SCHEDULE_DELAY: '5', ...env }
  Object.assign(process.env, settings)
  const close = await openTracing({ endpoint, serviceName: 'test', version: '1', log, trustTraceparent: false })
  for (const name of Object.keys(settings)) delete process.env[name]
  return { lines, close, warnings: () => lines.filter(({ level }) => level >= 40).map(({ msg }) => msg) }
}

const runs = tracingChannel('larder.jobs.run')
/** A job without content. Returns its `traceparent`. */
const runJob = (work = async () => currentContext().trace?.traceparent): Promise<string | undefined> =>
  runs.tracePromise(work, { job: { id: 'job_1', name: 'a.job', attempt: 1, tenantId: null, traceparent: undefined } })

const OUTAGE = 'traces are not exported until the collector accepts them; they are lost'
const accept: RequestListener = (_, response) => void response.writeHead(200).end()
const refuse: RequestListener = (_, response) => void response.writeHead(400).end()
const hang: RequestListener = () => undefined

test.serial('spans are sent by OTLP', async t => {
  const collector = await startCollector(t, accept)
  const { close, lines } = await open(collector.endpoint)
  t.regex((await runJob()) ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  await close()
  t.deepEqual(collector.received, ['application/x-protobuf /v1/traces'])
  t.deepEqual(lines, [])
})

test.serial('an outage is one announcement, and so is its end', async t => {
  const collector = await startCollector(t, refuse)
  const { close, lines, warnings } = await open(collector.endpoint)
  for (const count of [1, 2, 3]) {
    await runJob()
    await waitFor(() => collector.received.length >= count)
  }
  await waitFor(() => warnings().length > 0)
  collector.answer = accept
  await waitFor(async () => {
    await runJob()
    return lines.some(({ level }) => level === 30)
  })
  await close()
  t.deepEqual(warnings(), [OUTAGE])
  const [end, ...others] = lines.filter(({ level }) => level === 30)
  t.is(end?.msg, 'traces are exported again')
  t.true((end?.lost ?? 0) >= 3)
  t.deepEqual(others, [])
})

test.serial('a collector that is away is announced, and delays no work', async t => {
  const collector = await startCollector(t, accept)
  const { endpoint } = collector
  const { close, warnings } = await open(endpoint.replace(/:\d+\//, ':9/'), { OTEL_EXPORTER_OTLP_TIMEOUT: '200' })
  await runJob()
  await waitFor(() => warnings().length > 0)
  await runJob()
  await close()
  t.deepEqual(warnings(), [OUTAGE])
})

test.serial('a collector that hangs neither delays work nor gets more than one export at a time', async t => {
  const collector = await startCollector(t, hang)
  const { close } = await open(collector.endpoint)
  await runJob()
  await waitFor(() => collector.received.length === 1)
  for (let count = 0; count < 5000; count++) await runJob()
  t.is(collector.received.length, 1)
  const stopped = close().then(() => 'stopped')
  t.is(await Promise.race([stopped, wait(10_000, 'still waiting', { ref: false })]), 'stopped')
})

test.serial('a collector that hangs gets no more spans at the stop than fit into the queue', async t => {
  const collector = await startCollector(t, hang)
  const { close } = await open(collector.endpoint, {
    OTEL_BSP_MAX_QUEUE_SIZE: '20',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
  })
  for (let count = 0; count < 100; count++) await runJob()
  await close()
  // One export was under way, and the queue has two.
  await waitFor(() => collector.received.length >= 3)
  t.is(collector.received.length, 3)
})

test.serial('a slow collector delays no work', async t => {
  const waiting: (() => void)[] = []
  const collector = await startCollector(t, (_, response) => void waiting.push(() => response.writeHead(200).end()))
  const { close, warnings } = await open(collector.endpoint)
  await runJob()
  await waitFor(() => waiting.length === 1)
  t.truthy(await runJob())
  waiting[0]?.()
  await waitFor(() => waiting.length === 2)
  waiting[1]?.()
  await close()
  t.deepEqual(warnings(), [])
})

test.serial('a sampler leaves out what it does not choose, and the context stays', async t => {
  const collector = await startCollector(t, accept)
  const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }
  const { close } = await open(collector.endpoint, env)
  t.regex((await runJob()) ?? '', /-00$/)
  await close()
  t.deepEqual(collector.received, [])
})

/** Whether work within a job is published for telemetry, and for a subscriber of its channel. */
const isObserved = async (): Promise<unknown> => createWorkChannel('larder.postgres.batch').isObserved()
const observing = runJob as (work: () => Promise<unknown>) => Promise<unknown>

test.serial('work within an unsampled request is not published, even while another request is recorded', async t => {
  const collector = await startCollector(t, accept)
  const { close } = await open(collector.endpoint, { OTEL_TRACES_SAMPLER: 'parentbased_always_on' })
  const unsampled = {
    id: 'job_2',
    name: 'a.job',
    attempt: 1,
    tenantId: null,
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`,
  }
  t.false(await isObserved())
  t.deepEqual(
    await observing(async () => [await isObserved(), await runs.tracePromise(isObserved, { job: unsampled })]),
    [true, false],
  )
  await close()
})

test.serial('a subscriber of a channel sees the work of unsampled requests', async t => {
  const collector = await startCollector(t, accept)
  const { close } = await open(collector.endpoint, { OTEL_TRACES_SAMPLER: 'always_off' })
  const batches = tracingChannel<unknown, object>('larder.postgres.batch')
  const seen: unknown[] = []
  const record = (message: unknown) => void seen.push(message)
  batches.start.subscribe(record)
  const message = { statements: [] }
  await runJob(async () =>
    createWorkChannel('larder.postgres.batch').promise(
      async () => undefined,
      () => message,
    ),
  )
  batches.start.unsubscribe(record)
  await close()
  t.deepEqual(seen, [message])
})

test.serial('log lines have the trace of the work that writes them', async t => {
  const collector = await startCollector(t, accept)
  const { close } = await open(collector.endpoint)
  let fields: object | undefined
  const traceparent = await runJob(async () => {
    fields = traceFields()
    return currentContext().trace?.traceparent
  })
  const [, trace_id, span_id] = traceparent?.split('-') ?? []
  t.deepEqual(fields, { trace_id, span_id })
  t.deepEqual(traceFields(), {})
  await close()
})

test.serial('the trace of a request links to that of its caller, who decides nothing about it', async t => {
  const { all, close } = await startInMemory({ trustTraceparent: false })
  const caller = newTrace('00')
  const request = { id: 'req_1', method: 'GET', route: '/', module: undefined, headers: caller.headers, status: 200 }
  await tracingChannel('larder.http.request').tracePromise(async () => undefined, { request })
  const [span] = await waitFor(all, spans => spans.length > 0)
  t.is(span?.parentSpanContext, undefined)
  t.not(span?.spanContext().traceId, caller.id)
  t.deepEqual(
    span?.links.map(({ context }) => `${context.traceId} ${context.spanId}`),
    [`${caller.id} ${caller.spanId}`],
  )
  await close()
})

test.serial('what goes on after its request has no trace', async t => {
  const collector = await startCollector(t, accept)
  const { close } = await open(collector.endpoint)
  let later: Promise<string | undefined> | undefined
  await runJob(async () => {
    later = wait(1).then(() => currentContext().trace?.traceparent)
    return undefined
  })
  t.is(await later, undefined)
  await close()
})

test.serial('products of one process share the tracing, which ends with the last one', async t => {
  const collector = await startCollector(t, accept)
  const first = await open(collector.endpoint)
  const second = await open(collector.endpoint)
  await first.close()
  t.truthy(await runJob())
  await second.close()
  t.is(await runJob(), undefined)
})

test.serial('a failed job is an error without the text of its error', async t => {
  const bodies: Buffer[] = []
  const collector = await startCollector(t, (request, response) => {
    request.on('data', (part: Buffer) => void bodies.push(part))
    request.on('end', () => response.writeHead(200).end())
  })
  const { close } = await open(collector.endpoint)
  await t.throwsAsync(runJob(() => Promise.reject(new RangeError('ada@example.test is taken'))))
  await close()
  const sent = Buffer.concat(bodies).toString('latin1')
  t.true(sent.includes('RangeError'))
  t.false(sent.includes('ada@example.test'))
})
