/** Receives events of the payment provider and processes each once, in the order in which they occurred. */
import { common, type Deps } from 'larder/kernel'
import type { ProviderEvent } from '../domain/provider-event.ts'
import type { BillingSettings } from '../options.ts'
import {
  createProviderEventRepository,
  type FinalOutcome,
  RETRY_WINDOW_MS,
  type StoredEvent,
} from './provider-event-repository.ts'
import type { ProviderResult } from './providers/provider.ts'
import type { SubscriptionService } from './subscription-service.ts'

const BATCH_SIZE = 100
const MAX_ATTEMPTS = 10

export interface ProviderEventService {
  /** Stores events and wakes the worker. Returns the number of new events. */
  receive(events: readonly ProviderEvent[]): Promise<number>
  /** Processes every event that is due. */
  processDue(): Promise<void>
  /** Deletes old events. */
  sweep(): Promise<void>
  /**
   * Applies the result of a call to the provider. Throws `invalid_state` if the subscription has changed meanwhile and
   * no longer allows it.
   */
  applyResult(tenantId: string, result: ProviderResult): Promise<void>
}

export function createProviderEventService(
  deps: Deps<'database' | 'systemDatabase' | 'clock' | 'jobs' | 'log'>,
  { settings, subscriptions }: { settings: BillingSettings; subscriptions: SubscriptionService },
): ProviderEventService {
  const { database, clock, log } = deps
  const repository = createProviderEventRepository(deps)
  const isExpired = ({ receivedAt }: StoredEvent) => receivedAt.getTime() < clock.now() - RETRY_WINDOW_MS

  /** False if another worker has the event. */
  async function process(event: StoredEvent): Promise<boolean> {
    const tenantId = await repository.findTenant(event)
    if (tenantId === undefined) {
      await (isExpired(event) ? giveUp(event, 'unknown') : repository.postpone(event))
      return true
    }
    return database.tenant(tenantId).transaction(async unit => {
      if (!(await repository.claim(event))) return false
      const outcome = await subscriptions.applyEvent(unit, tenantId, event)
      if (outcome === 'retry' && !isExpired(event)) await repository.postpone(event)
      else if (outcome === 'retry' || outcome === 'rejected') await giveUp(event, 'rejected')
      else {
        await repository.complete(event, outcome)
        await repository.wakeRelated(tenantId, event)
      }
      return true
    })
  }

  async function giveUp(event: StoredEvent, outcome: FinalOutcome): Promise<void> {
    const { id, provider, change, subscription } = event
    log.warn({ provider, event: id, change: change.type, subscription, outcome }, 'a payment event does not apply')
    await repository.complete(event, outcome)
  }

  async function attempt(event: StoredEvent): Promise<boolean> {
    try {
      return await process(event)
    } catch (error) {
      log.error({ err: error, provider: event.provider, event: event.id }, 'processing a payment event failed')
      if (event.attempts + 1 >= MAX_ATTEMPTS) await giveUp(event, 'failed')
      else await repository.postpone(event)
      return true
    }
  }

  return {
    receive: events => repository.receive(settings.provider, events),
    async processDue() {
      for (;;) {
        let processed = 0
        for (const event of await repository.due(BATCH_SIZE)) if (await attempt(event)) processed++
        if (processed === 0) return
      }
    },
    sweep: repository.sweep,
    async applyResult(tenantId, { events, authoritative }) {
      await database.tenant(tenantId).transaction(async unit => {
        for (const event of events) {
          const key = { provider: settings.provider, id: event.id }
          if (authoritative) await repository.insert(key.provider, event)
          const outcome = await subscriptions.applyEvent(unit, tenantId, event, authoritative)
          if (outcome !== 'done') throw common.invalid_state({ reason: 'The subscription has changed meanwhile.' })
          if (authoritative) await repository.complete(key, outcome)
        }
      })
    },
  }
}
