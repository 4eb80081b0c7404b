/** Applies delivery events of email providers to messages and the suppression list. */
import type { Deps } from 'larder/kernel'
import { historyEntry } from '../domain/message-states.ts'
import { HARD_BOUNCE_SUPPRESSION_MS } from './delivery-service.ts'
import { createMessageRepository, type Message } from './message-repository.ts'
import { createProviderEventRepository, type StoredDeliveryEvent } from './provider-event-repository.ts'
import { createSuppressionList } from './suppression-list.ts'

const BATCH_SIZE = 100

export interface ProviderEventService {
  /** Processes every waiting event. Throws if some failed, so that the job is retried. */
  processWaiting(): Promise<void>
  /** Deletes old events. */
  sweep(): Promise<void>
}

export function createProviderEventService(
  deps: Deps<'database' | 'systemDatabase' | 'clock' | 'jobs' | 'log'>,
): ProviderEventService {
  const { database, log } = deps
  const repository = createProviderEventRepository(deps)
  const messages = createMessageRepository(deps)
  const suppression = createSuppressionList(deps)

  async function apply({ type, hard, at, detail, provider }: StoredDeliveryEvent, { id, tenantId, to }: Message) {
    // An unsubscription doesn't concern a single message.
    if (type !== 'unsubscribed')
      await messages.move(tenantId, id, type, historyEntry(type, at.getTime(), detail ?? `reported by ${provider}`))
    if (type === 'bounced' && hard)
      await suppression.addBounce(tenantId, to, new Date(at.getTime() + HARD_BOUNCE_SUPPRESSION_MS))
    if (type === 'complained') await suppression.addComplaint(tenantId, to)
    if (type === 'unsubscribed') await suppression.addUnsubscribe(tenantId, to)
  }

  async function process(event: StoredDeliveryEvent): Promise<void> {
    const tenantId = event.messageId === undefined ? undefined : await repository.findTenant(event.messageId)
    if (tenantId === undefined) return repository.complete(event, 'unknown')
    await database.tenant(tenantId).transaction(async () => {
      if (!(await repository.claim(event))) return
      const message = await messages.find(tenantId, event.messageId as string)
      if (message) await apply(event, message)
      await repository.complete(event, message ? 'done' : 'unknown')
    })
  }

  async function attempt(event: StoredDeliveryEvent): Promise<boolean> {
    try {
      await process(event)
      return true
    } catch (error) {
      log.error({ err: error, provider: event.provider, event: event.id }, 'processing a delivery event failed')
      await repository.recordFailure(event)
      return false
    }
  }

  return {
    async processWaiting() {
      let failures = 0
      for (;;) {
        const batch = await repository.waiting(BATCH_SIZE)
        const before = failures
        for (const event of batch) if (!(await attempt(event))) failures++
        if (batch.length < BATCH_SIZE || failures - before === batch.length) break
      }
      if (failures > 0) throw new Error(`processing ${failures} delivery events failed`)
    },
    sweep: () => repository.sweep(),
  }
}
