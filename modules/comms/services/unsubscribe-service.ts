/** One-click unsubscribe from marketing emails, without signing in, by a signed link (RFC 8058). */
import { type Deps, withContext } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { createMessageRepository } from './message-repository.ts'
import { createSuppressionList } from './suppression-list.ts'

export const UNSUBSCRIBE_PATH = '/v1/communications/unsubscribe'
const SIGNING_PURPOSE = 'comms.unsubscribe'

export interface UnsubscribeStatus {
  /** Masked: its owner can recognize it. */
  readonly address: string
  readonly subscribed: boolean
}
/** All methods throw `bad_unsubscribe_link`. They also work for a suspended workspace. */
export interface UnsubscribeService {
  status(token: string): Promise<UnsubscribeStatus>
  /** Idempotent. */
  unsubscribe(token: string): Promise<void>
  /** Reverts `unsubscribe`. */
  resubscribe(token: string): Promise<void>
}

/** The token holds ids of the tenant and message instead of the address, since URLs end up in access logs. */
export const unsubscribeUrl = (
  { secrets, product }: Deps<'secrets' | 'product'>,
  message: { readonly tenantId: string; readonly id: string },
): string => {
  const token = `${message.tenantId}.${message.id}.${secrets.sign(SIGNING_PURPOSE, message.tenantId, message.id)}`
  return `${product.publicUrl}${UNSUBSCRIBE_PATH}?token=${token}`
}

export function createUnsubscribeService(deps: Deps<'database' | 'clock' | 'secrets'>): UnsubscribeService {
  const messages = createMessageRepository(deps)
  const suppression = createSuppressionList(deps)

  async function recipientOf(token: string): Promise<{ tenantId: string; address: string }> {
    const [, tenantId = '', messageId = '', signature = ''] = /^(\w+)\.(\w+)\.([\w-]+)$/.exec(token) ?? []
    if (!deps.secrets.verify(signature, SIGNING_PURPOSE, tenantId, messageId)) throw problems.bad_unsubscribe_link()
    const message = await messages.find(tenantId, messageId)
    if (!message) throw problems.bad_unsubscribe_link()
    return { tenantId, address: message.to }
  }

  const withRecipient = <T>(token: string, work: (tenantId: string, address: string) => Promise<T>): Promise<T> =>
    withContext({ refusesSuspended: false }, async () => {
      const { tenantId, address } = await recipientOf(token)
      return work(tenantId, address)
    })

  return {
    status: token =>
      withRecipient(token, async (tenantId, address) => {
        const isSuppressed = await suppression.isSuppressed(tenantId, address, 'marketing')
        return { address: maskAddress(address), subscribed: !isSuppressed }
      }),
    unsubscribe: token =>
      withRecipient(token, (tenantId, address) =>
        suppression.addUnsubscribe(tenantId, address, new Date(deps.clock.now())),
      ),
    resubscribe: token => withRecipient(token, (tenantId, address) => suppression.removeUnsubscribe(tenantId, address)),
  }
}

/** `ada@example.test` → `a••@example.test`: a forwarded email must not reveal the address of its recipient. */
const maskAddress = (address: string): string =>
  address.replace(/^(.)(.*)(?=@)/u, (_, first: string, rest: string) => first + '•'.repeat(Math.min(rest.length, 8)))
