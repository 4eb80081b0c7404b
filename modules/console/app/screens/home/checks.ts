/** Lists whose rows need attention. Without React. */
import type { Resource } from '../../public.ts'
import type { HomeText } from './texts.ts'

interface NamedCheck {
  readonly id: HomeText
  readonly of: string
  readonly filters?: Readonly<Record<string, string>>
  readonly tone: 'danger' | 'warning' | 'neutral'
}
export interface Check extends NamedCheck {
  readonly resource: Resource
}
const CHECKS: readonly NamedCheck[] = [
  { id: 'platform.dead-letters', of: 'platform.dead-letters', tone: 'danger' },
  { id: 'automations.failed', of: 'automations.runs', filters: { 'filter[state]': 'failed' }, tone: 'danger' },
  { id: 'webhooks.paused', of: 'webhooks.endpoints', filters: { 'filter[status]': 'paused' }, tone: 'danger' },
  { id: 'webhooks.dead', of: 'webhooks.deliveries', filters: { 'filter[status]': 'dead' }, tone: 'warning' },
  { id: 'comms.failed', of: 'comms.messages', filters: { 'filter[status]': 'failed' }, tone: 'danger' },
  { id: 'comms.bounced', of: 'comms.messages', filters: { 'filter[status]': 'bounced' }, tone: 'warning' },
  { id: 'comms.complained', of: 'comms.messages', filters: { 'filter[status]': 'complained' }, tone: 'warning' },
  { id: 'media.rejected', of: 'media.items', filters: { 'filter[status]': 'rejected' }, tone: 'warning' },
]

/** Those of lists that the reader may open. */
export const checksOf = (resources: readonly Resource[]): readonly Check[] =>
  CHECKS.flatMap(check => {
    const resource = resources.find(({ id, offered }) => id === check.of && offered)
    return resource ? [{ ...check, resource }] : []
  })
