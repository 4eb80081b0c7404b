/** Traces of a web process and a worker, sent to Jaeger and read back by its API. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import anyTest, { type TestFn } from 'ava'
import { stringify } from 'yaml'
import { freePort } from '../fixtures/free-port.ts'
import { registerAt } from '../fixtures/register-at.ts'
import { waitFor } from '../fixtures/wait.ts'
import { type Receiver, startReceiver } from '../modules/webhooks/receiver.ts'
import { createInstallation } from '../reliability/processes.ts'
import { goProgram, PROGRAMS } from './programs.ts'
import { type PeerServer, startPeer } from './server.ts'

interface Jaeger extends PeerServer {
  readonly endpoint: string
  /** Throws while the trace is unknown. */
  trace(id: string): Promise<readonly Span[]>
}
interface Span {
  readonly id: string
  readonly parent: string | undefined
  readonly name: string
  readonly service: string
  readonly tags: Readonly<Record<string, unknown>>
}
interface StoredTrace {
  readonly processes: Readonly<Record<string, { readonly serviceName: string }>>
  readonly spans: readonly {
    readonly spanID: string
    readonly operationName: string
    readonly processID: string
    readonly references: readonly { readonly refType: string; readonly spanID: string }[]
    readonly tags: readonly { readonly key: string; readonly value: unknown }[]
  }[]
}

const test = anyTest as TestFn<{ jaeger: Jaeger; receiver: Receiver }>
const program = await goProgram(PROGRAMS.jaeger)

async function startJaeger(path: string): Promise<Jaeger> {
  const [otlp, http, grpc] = [await freePort(), await freePort(), await freePort()]
  const settings = {
    service: {
      extensions: ['jaeger_storage', 'jaeger_query'],
      pipelines: { traces: { receivers: ['otlp'], exporters: ['jaeger_storage_exporter'] } },
      telemetry: { metrics: { level: 'none' } },
    },
    extensions: {
      jaeger_storage: { backends: { memory: { memory: { max_traces: 1000 } } } },
      jaeger_query: {
        storage: { traces: 'memory' },
        http: { endpoint: `127.0.0.1:${http}` },
        grpc: { endpoint: `127.0.0.1:${grpc}` },
      },
    },
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${otlp}` } } } },
    exporters: { jaeger_storage_exporter: { trace_storage: 'memory' } },
  }
  const api = `http://127.0.0.1:${http}/api`
  const { close } = await startPeer({
    path,
    args: async folder => {
      await writeFile(join(folder, 'jaeger.yaml'), stringify(settings))
      return ['--config', join(folder, 'jaeger.yaml')]
    },
    isReady: async () => (await fetch(`${api}/services`)).ok,
  })
  return {
    close,
    endpoint: `http://127.0.0.1:${otlp}`,
    async trace(id) {
      const response = await fetch(`${api}/traces/${id}`)
      const { data } = (await response.json()) as { data: readonly StoredTrace[] | null }
      return (data ?? []).flatMap(spansOf)
    },
  }
}

const spansOf = ({ spans, processes }: StoredTrace): Span[] =>
  spans.map(({ spanID, operationName, processID, references, tags }) => ({
    id: spanID,
    parent: references.find(({ refType }) => refType === 'CHILD_OF')?.spanID,
    name: operationName,
    service: processes[processID]?.serviceName ?? '',
    tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }))

/** `<service>: <span>` of a span and of those around it, from the inside out. */
function pathOf(spans: readonly Span[], inner: Span | undefined): string[] {
  const path: string[] = []
  for (let span = inner; span; span = spans.find(({ id }) => id === span?.parent))
    path.push(`${span.service}: ${span.name}`)
  return path
}

test.before(async t => {
  t.timeout(60 * 60 * 1000)
  t.context = { jaeger: await startJaeger(program), receiver: await startReceiver() }
})
test.after.always(async ({ context: { jaeger, receiver } }) => {
  await jaeger?.close()
  await receiver?.close()
})

test('one trace has the spans of the web process and of the worker, with their parents', async t => {
  const { jaeger, receiver } = t.context
  const { startProcess } = await createInstallation(t, {
    recipe: stringify({
      recipe: 1,
      product: { key: 'traced', name: 'Traced', publicUrl: 'http://localhost:8080' },
      modules: {
        identity: {},
        comms: {},
        collections: {},
        automations: {},
        webhooks: { allowHosts: '127.0.0.1' },
      },
      collections: { tickets: { fields: { title: { type: 'text', required: true } } } },
      webhooks: {
        endpoints: { all: { url: `${receiver.url}/hooks`, events: ['collections.tickets.created'] } },
      },
      automations: {
        told: {
          on: 'collections.tickets.created',
          steps: [{ 'webhooks.request': { url: `${receiver.url}/automation`, json: {} } }],
        },
      },
    }),
  })
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: jaeger.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    TRUST_TRACEPARENT: 'on',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  }
  const web = await startProcess('web', env)
  await startProcess('worker', env)
  const { token } = await registerAt(web.url)

  const [trace, caller] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  const response = await fetch(`${web.url}/v1/data/tickets`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      traceparent: `00-${trace}-${caller}-01`,
    },
    body: JSON.stringify({ title: 'A ticket that no span names' }),
  })
  t.is(response.status, 201, await response.text())

  const wanted = ['POST /v1/data/tickets', 'POST', 'step webhooks.request', 'process automations.run']
  await waitFor(
    async () => (await jaeger.trace(trace)).map(({ name }) => name),
    names => wanted.every(name => names.includes(name)),
  )
  const spans = await jaeger.trace(trace)
  const find = (name: string) => spans.find(span => span.name === name)
  const request = find('POST /v1/data/tickets')
  t.is(request?.parent, caller)
  t.like(request?.tags, { 'span.kind': 'server', 'http.route': '/v1/data/tickets', 'http.response.status_code': 201 })

  const statement = spans.find(({ service, tags }) => service === 'larder-web' && 'db.query.text' in tags)
  t.is(pathOf(spans, statement).at(-1), 'larder-web: POST /v1/data/tickets')

  const EVENT = 'larder-worker: process collections.tickets.created'
  const webhook = pathOf(spans, find('POST'))
  t.deepEqual(webhook.slice(0, 2), ['larder-worker: POST', EVENT])
  t.is(webhook.at(-1), 'larder-web: POST /v1/data/tickets')

  const step = pathOf(spans, find('step webhooks.request'))
  t.deepEqual(step.slice(0, 3), [
    'larder-worker: step webhooks.request',
    'larder-worker: process automations.run',
    EVENT,
  ])
  t.is(step.at(-1), 'larder-web: POST /v1/data/tickets')

  t.false(JSON.stringify(spans).includes('A ticket that no span names'))
  const sent = receiver.received.map(({ headers }) => headers.traceparent)
  t.true(sent.includes(`00-${trace}-${find('POST')?.id}-01`))
})
