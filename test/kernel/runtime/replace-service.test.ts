import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { startTestKernel } from '../../../testing/index.ts'
import { failure, HEAD } from '../recipe/fixtures.ts'

const RECORDING_BUS = `
import { defineService } from '@larder-dev/larder/kernel'

function createRecordingBus() {
  const messages: { channel: string; message: unknown }[] = []
  const subscribers = new Map<string, Set<(message: unknown) => void>>()
  return {
    messages,
    publish(channel: string, message: unknown) {
      messages.push({ channel, message })
      for (const deliver of subscribers.get(channel) ?? []) deliver(message)
    },
    subscribe(channel: string, onMessage: (message: unknown) => void) {
      const all = subscribers.get(channel) ?? new Set()
      subscribers.set(channel, all.add(onMessage))
      return () => void all.delete(onMessage)
    },
  }
}

export default defineService({ name: 'bus', provides: { bus: createRecordingBus } })
`

interface RecordingBus {
  readonly messages: readonly { readonly channel: string; readonly message: unknown }[]
}

test('a product publishes its messages on the bus of its recipe', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-replace-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'recording-bus.ts'), RECORDING_BUS)
  const kernel = await startTestKernel({
    folder,
    recipe: {
      services: { bus: { use: './recording-bus.ts' } },
      modules: { identity: {}, comms: {}, features: {} },
      features: { 'new-editor': { default: false } },
    },
  })
  t.teardown(() => kernel.stop())

  const ada = await kernel.register('ada@example.test')
  const before = await ada.post<{ value: unknown }>('/v1/features/new-editor/evaluate', {})
  t.is(before.body.value, false)
  const { status } = await ada.put('/v1/features/new-editor/override', { value: true })
  t.is(status, 200)

  const { messages } = kernel.kernel.ports.bus as unknown as RecordingBus
  t.deepEqual(
    messages.filter(({ channel }) => channel === 'features.changed'),
    // The recipe's flag at start, then Ada's override.
    [null, ada.tenantId].map(tenantId => ({ channel: 'features.changed', message: { tenantId } })),
  )
  const after = await ada.post<{ value: unknown }>('/v1/features/new-editor/evaluate', {})
  t.is(after.body.value, true)
})

const REPLACED = `${HEAD}services:\n  bus: { use: ./bus.ts }\n`
const service = (spec: string) =>
  `import { defineService } from '@larder-dev/larder/kernel'\nexport default defineService(${spec} as never)\n`
const diagnosticsOf = async (...given: Parameters<typeof failure>) =>
  (await failure(...given)).problems.map(({ code, path }) => ({ code, path }))

test('a replacement without the port of the service is rejected', async t => {
  const files = { 'recipe.yaml': REPLACED, 'bus.ts': service(`{ name: 'bus' }`) }
  const found = await diagnosticsOf(t, files)
  t.deepEqual(
    found.filter(({ path }) => path === 'services.bus.use'),
    [{ code: 'missing_port', path: 'services.bus.use' }],
  )
})

test('a replacement with a port that the service does not declare is rejected', async t => {
  const provides = '{ name: "bus", provides: { bus: () => ({}), tram: () => ({}) } }'
  t.deepEqual(await diagnosticsOf(t, { 'recipe.yaml': REPLACED, 'bus.ts': service(provides) }), [
    { code: 'undeclared_port', path: 'services.bus.use' },
  ])
})

test('a replacement that is a module instead of a service is rejected', async t => {
  const bus = `import { defineModule } from '@larder-dev/larder/kernel'\nexport default defineModule({ name: 'bus' })\n`
  t.deepEqual(await diagnosticsOf(t, { 'recipe.yaml': REPLACED, 'bus.ts': bus }), [
    { code: 'load_failed', path: 'services.bus.use' },
  ])
})

test('an unknown service is rejected with a suggestion', async t => {
  const { problems } = await failure(t, `${HEAD}services:\n  bux: {}\n`)
  t.deepEqual(
    problems.map(({ code, path }) => ({ code, path })),
    [{ code: 'unknown_service', path: 'services.bux' }],
  )
  t.regex(problems[0]?.hint ?? '', /bus/)
})
