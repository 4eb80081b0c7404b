/** The event types of this recipe that endpoints can subscribe to. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import { type PublicEvent, publicEventsOf } from '@larder-dev/larder/kernel/internal'
import { type EventType, TEST_EVENT, toEventType, toSessionWebhook, toWebhookDocs } from '../domain/event-types.ts'
import { publicPayload } from '../domain/payload.ts'

export interface EventCatalog {
  /** Ordered by type. */
  list(): readonly EventType[]
  types(): readonly string[]
  /** The part of a payload that may be sent. */
  publicPayload(type: string, payload: object): Record<string, unknown>
  /** What the OpenAPI document shows of each type. */
  openapi(): Registrations['openapi']
}

/** Payloads of these events have the field `webhook`, which can name another URL. */
export const SESSION_EVENTS = [
  'sessions.session.created',
  'sessions.session.accepted',
  'sessions.session.ended',
  'sessions.session.expired',
] as const
const isSessionEvent = ({ type }: PublicEvent): boolean =>
  (SESSION_EVENTS as readonly string[]).includes(type) || type.startsWith('streams.stream.')

export function createEventCatalog({ registry }: Deps<'registry'>): EventCatalog {
  const events = publicEventsOf(registry.declared())
  const types = events.map(toEventType)
  const names = new Map(
    events.map(({ type, schema }) => {
      const { properties = {} } = schema as { properties?: object }
      return [type, new Set(Object.keys(properties))]
    }),
  )
  return {
    list: () => types,
    types: () => [...names.keys()],
    publicPayload: (type, payload) => publicPayload(payload, names.get(type) ?? new Set()),
    openapi() {
      const described = [...types, TEST_EVENT, ...events.filter(isSessionEvent).map(toSessionWebhook)]
      const sorted = described.toSorted((a, b) => (a.type < b.type ? -1 : 1))
      return { webhooks: Object.fromEntries(sorted.map(each => [each.type, toWebhookDocs(each)])) }
    },
  }
}
