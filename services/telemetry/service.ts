import { type Deps, defineService } from '@larder-dev/larder/kernel'
import type {} from './ports.ts'
import { settings } from './settings.ts'
import { openTracing } from './tracing.ts'

type TelemetryDeps = Deps<'settings' | 'process' | 'log'>

/** Names of processes in traces. */
const NAMES = { all: 'larder', web: 'larder-web', worker: 'larder-worker' } as const

export default defineService({
  name: 'telemetry',
  summary: 'Sends traces to an OpenTelemetry collector, if one is set.',
  needs: ['settings', 'process', 'log'],
  settings,
  services: { tracing: { create: createTracing, dispose: tracing => tracing.close() } },
  init: ({ tracing }) => tracing.open(),
})

function createTracing({ settings, process: { role, version }, log }: TelemetryDeps) {
  const { tracesEndpoint: endpoint, trustTraceparent } = settings
  let leave: (() => Promise<void>) | undefined
  return {
    async open() {
      if (endpoint === undefined || role === 'tool' || role === 'migrate') return
      leave = await openTracing({ endpoint, serviceName: NAMES[role], version, log, trustTraceparent })
    },
    async close() {
      await leave?.()
    },
  }
}
