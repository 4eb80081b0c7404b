/** The way out of marketing mail: one click, no login, by a link that only this server can make (RFC 8058). */
import type { Deps } from 'larder/kernel'
import { createMessages } from './message-repository.ts'
import { problems } from '../problems.ts'
import { createSuppressionList } from './suppression-list.ts'

export const UNSUBSCRIBE_PATH = '/v1/communications/unsubscribe'
const PURPOSE = 'comms.unsubscribe'

export interface Subscription {
  /** As much of the address as its owner needs to know it again. */
  readonly address: string
  readonly subscribed: boolean
}
export interface Unsubscribing {
  /** Throws problem `bad_unsubscribe_link`, as the others do. */
  look(token: string): Promise<Subscription>
  /** Again changes nothing. */
  leave(token: string): Promise<void>
  /** Takes back what `leave` did. */
  comeBack(token: string): Promise<void>
}

/** The token names tenant and message, never the address: it stands in logs of others. */
export const unsubscribeUrl = (
  { secrets, product }: Deps<'secrets' | 'product'>,
  message: { readonly tenantId: string; readonly id: string },
): string => {
  const token = `${message.tenantId}.${message.id}.${secrets.sign(PURPOSE, message.tenantId, message.id)}`
  return `${product.publicUrl}${UNSUBSCRIBE_PATH}?token=${token}`
}

export function createUnsubscribing(deps: Deps<'database' | 'clock' | 'secrets'>): Unsubscribing {
  const messages = createMessages(deps)
  const suppression = createSuppressionList(deps)

  async function addressee(token: string): Promise<{ tenantId: string; address: string }> {
    const [, tenantId = '', messageId = '', signature = ''] = /^(\w+)\.(\w+)\.([\w-]+)$/.exec(token) ?? []
    if (!deps.secrets.verify(signature, PURPOSE, tenantId, messageId)) throw problems.bad_unsubscribe_link()
    const message = await messages.find(tenantId, messageId)
    if (!message) throw problems.bad_unsubscribe_link()
    return { tenantId, address: message.to }
  }

  return {
    async look(token) {
      const { tenantId, address } = await addressee(token)
      const stopped = await suppression.stops(tenantId, address, 'marketing')
      return { address: shortened(address), subscribed: !stopped }
    },
    async leave(token) {
      const { tenantId, address } = await addressee(token)
      await suppression.unsubscribed(tenantId, address)
    },
    async comeBack(token) {
      const { tenantId, address } = await addressee(token)
      await suppression.resubscribed(tenantId, address)
    },
  }
}

/** `ada@example.test` → `a••@example.test`: a mail that was handed on does not tell whose it was. */
const shortened = (address: string): string =>
  address.replace(/^(.)(.*)(?=@)/u, (_, first: string, rest: string) => first + '•'.repeat(Math.min(rest.length, 8)))
