/** Receives delivery events of email providers, and applies them to messages and the suppression list. */

import { DAY, type Deps } from '@larder-dev/larder/kernel'
import type { StoredInboxEvent } from '@larder-dev/larder/kernel/internal'
import { type HistoryEntry, historyEntry } from '../domain/message-states.ts'
import type { DeliveryEvent } from '../ports.ts'
import type { Message } from '../records/message.ts'
import { HARD_BOUNCE_SUPPRESSION_MS } from './delivery-service.ts'
import { createMessageRepository } from './message-repository.ts'
import { createSuppressionList } from './suppression-list.ts'

/** Longer than any provider retries an event. */
const RETENTION_MS = 30 * DAY

type EventData = Omit<DeliveryEvent, 'id' | 'at'>

export interface ProviderEventService {
  /** Stores events and wakes the worker. Returns the number of new events. */
  receive(provider: string, events: readonly DeliveryEvent[]): Promise<number>
  /** Processes every event that is due. */
  processDue(): Promise<void>
  /** Deletes old events. */
  sweep(): Promise<void>
}

export function createProviderEventService(
  deps: Deps<'database' | 'systemDatabase' | 'clock' | 'jobs' | 'providerInbox'>,
): ProviderEventService {
  const { systemDatabase, jobs, providerInbox } = deps
  const messages = createMessageRepository(deps)
  const suppression = createSuppressionList(deps)

  async function findTenant({ data }: StoredInboxEvent<EventData>): Promise<string | undefined> {
    if (data.messageId === undefined) return undefined
    const { rows } = await systemDatabase
      .acrossTenants('the message that a delivery event names is found in any tenant')
      .query<{ tenantId: string }>('select tenant_id as "tenantId" from comms_messages where id = $1', [data.messageId])
    return rows[0]?.tenantId
  }

  async function apply(event: StoredInboxEvent<EventData>, { id, tenantId, to }: Message): Promise<void> {
    const { occurredAt } = event
    const { type, hard } = event.data
    // An unsubscription says nothing about the message, nor does what arrives out of order.
    const isMoved = type !== 'unsubscribed' && (await messages.move(tenantId, id, type, entryOf(event))) !== undefined
    if (!isMoved && type !== 'delivered') await messages.note(tenantId, id, entryOf(event))
    if (type === 'bounced' && hard)
      await suppression.addBounce(tenantId, to, new Date(occurredAt.getTime() + HARD_BOUNCE_SUPPRESSION_MS))
    if (type === 'complained') await suppression.addComplaint(tenantId, to)
    if (type === 'unsubscribed') await suppression.addUnsubscribe(tenantId, to, occurredAt)
  }

  const inbox = providerInbox.create<EventData>({
    name: 'comms',
    // A message is stored before it is sent, so an event of an unknown message stays unknown.
    retryWindowMs: 0,
    retentionMs: RETENTION_MS,
    wakeWorker: () => jobs.enqueue('comms.process_provider_events', {}, { key: 'provider-events' }),
    findTenant,
    async process(_unit, tenantId, event) {
      const message = await messages.find(tenantId, event.data.messageId as string)
      if (!message) return 'rejected'
      if (!isRecorded(event, message)) await apply(event, message)
      return 'done'
    },
  })

  return {
    receive: (provider, events) =>
      inbox.receive(
        provider,
        events.map(({ id, at, ...data }) => ({ id, occurredAt: at, data })),
      ),
    processDue: inbox.processDue,
    sweep: inbox.sweep,
  }
}

/**
 * Whether another event, with an id of its own, has reported the same. Applied again, it would suppress an address that was
 * released, or fail a message that was sent again.
 */
function isRecorded(event: StoredInboxEvent<EventData>, { history }: Message): boolean {
  const reported = entryOf(event)
  return history.some(
    ({ type, at, detail }) => type === reported.type && at === reported.at && detail === reported.detail,
  )
}

const entryOf = ({ provider, occurredAt, data: { type, detail } }: StoredInboxEvent<EventData>) =>
  historyEntry(type as HistoryEntry['type'], occurredAt.getTime(), detail ?? `reported by ${provider}`)
