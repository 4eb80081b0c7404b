import {
  type Deps,
  defineService,
  handlerKey,
  type Listener,
  type RunningModule,
} from '@larder-dev/larder/kernel/internal'
import { createEventErasure } from './erasure.ts'
import { createEventInspector, queueState } from './inspect.ts'
import { metrics } from './metrics.ts'
import type {} from './ports.ts'
import { createProviderInboxes } from './provider-inbox.ts'
import { createRelay, type Relay, type RelayHandler } from './relay.ts'
import { statistics } from './statistics.ts'
import { sweepJob } from './sweep.ts'

export default defineService({
  name: 'outbox',
  summary:
    'Events: written in the transaction of the change, delivered to every listener, retried, and listed as dead letters.',
  needs: ['product', 'postgres', 'database', 'systemDatabase', 'operator', 'clock', 'log', 'registry'],
  services: {
    relay: () => ({ current: undefined as Relay | undefined }),
    wakeRelay: ({ postgres, log }: Deps<'postgres' | 'log'>) =>
      postgres.createNotifier('larder_events', error => log.debug({ err: error }, 'the relay was not woken: it polls')),
  },
  provides: {
    events: { load: async () => (await import('./publish.ts')).createEventPublisher },
    eventInspector: ({ systemDatabase, clock, registry, wakeRelay }) => ({
      ...createEventInspector({
        systemDatabase,
        clock,
        handlersOf: type =>
          handlersIn(registry.running())
            .filter(({ event }) => event === type)
            .map(({ handler }) => handler),
        wakeRelay,
      }),
      queue: () => queueState(systemDatabase, clock),
    }),
    providerInbox: createProviderInboxes,
    eventErasure: createEventErasure,
  },
  statistics,
  metrics,
  jobs: ({ systemDatabase, clock }) => [sweepJob(systemDatabase, clock)],
  async work({ relay, product, postgres, registry, log, clock }) {
    const handlers = handlersIn(registry.running())
    const byPerson = product.audience === 'people'
    relay.current = createRelay({ db: postgres, handlers, log, clock, byPerson })
    await relay.current.start()
  },
  drain: async ({ relay }) => relay.current?.stop(),
})

const handlersIn = (running: readonly Pick<RunningModule, 'key' | 'listeners'>[]): RelayHandler[] =>
  running.flatMap(({ key, listeners }) => listeners.map(each => toHandler(key, each)))

function toHandler(key: string, each: Listener): RelayHandler {
  const { on, concurrent = false, batch = false, run } = each
  return { handler: handlerKey(key, each), event: on, concurrent, batch, run }
}
