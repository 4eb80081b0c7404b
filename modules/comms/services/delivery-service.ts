/** Sends queued messages: the job `comms.deliver`. */

import { tracingChannel } from 'node:diagnostics_channel'
import { DAY, type Deps, type JobContext, MINUTE, Problem, SECOND } from '@larder-dev/larder/kernel'
import type { LocalMailText } from '@larder-dev/larder/kernel/internal'
import { bounceMeaning } from '../domain/bounce.ts'
import { signLinks } from '../domain/mail-links.ts'
import { historyEntry } from '../domain/message-states.ts'
import { overrideErrors } from '../domain/product-mail-policy.ts'
import { type CommsOptions, senderOf } from '../options.ts'
import type { Message } from '../records/message.ts'
import { isSendable } from './api-sending.ts'
import { createMessageRepository } from './message-repository.ts'
import { configuredProviders } from './providers/configured-providers.ts'
import { createRecipientLimit } from './recipient-limit.ts'
import { createSuppressedCounts } from './suppressed-counts.ts'
import { createSuppressionList } from './suppression-list.ts'
import { createTemplateOverrides, withOverrides } from './template-overrides.ts'
import { BounceError, type OutgoingMail, type TransportDeps } from './transports/transport.ts'
import { unsubscribeUrl } from './unsubscribe-service.ts'

/** With `backoffMs`, about one day in total. */
export const MAX_ATTEMPTS = 19
/** 30 s after the first failure, which is often greylisting or a restart; then 5 min, growing by 30%. */
export const backoffMs = (failed: number): number =>
  failed === 1 ? 30 * SECOND : Math.round(5 * MINUTE * 1.3 ** (failed - 2))
/** How long an address is suppressed after a hard bounce. */
export const HARD_BOUNCE_SUPPRESSION_MS = 30 * DAY

/** docs/observability.md */
const sends = tracingChannel<unknown, { readonly mail: TracedMail }>('larder.comms.mail')
interface TracedMail {
  readonly id: string
  readonly template: string
  readonly tenantId: string | null
}

/** RFC 8058: mail clients may offer one-click unsubscribe, which they post. */
const ONE_CLICK_UNSUBSCRIBE = 'List-Unsubscribe=One-Click'

type DeliveryDeps = TransportDeps &
  Deps<'database' | 'systemDatabase' | 'clock' | 'log' | 'mailTemplates' | 'secrets' | 'product', 'mailProvider'>
export interface DeliveryService {
  /** Throws if another attempt is due. */
  run(data: { messageId: string; tenantId: string }, context: Pick<JobContext, 'attempt'>): Promise<void>
}

export function createDeliveryService(deps: DeliveryDeps, options: CommsOptions): DeliveryService {
  const { database, clock, log, mailTemplates, mailTransport, secrets, product } = deps
  const messages = createMessageRepository(deps)
  const suppression = createSuppressionList(deps)
  const overrides = createTemplateOverrides(deps)
  const recipientLimit = createRecipientLimit(deps, options)
  const suppressedCounts = createSuppressedCounts(deps)
  const providers = configuredProviders(deps, options)
  const from = senderOf(options, product)
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const entryNow = (type: Parameters<typeof historyEntry>[0], detail?: string) =>
    historyEntry(type, clock.now(), detail)

  /** Suppresses a message whose recipient has got too many emails. Attempts after the first aren't counted. */
  async function exceedsRecipientLimit(tenantId: string, id: string): Promise<boolean> {
    const message = await messages.find(tenantId, id)
    if (message?.status !== 'queued' || message.attempts > 0) return false
    if (await recipientLimit.consume(message.to, isSendable(mailTemplates, message.template))) return false
    log.warn(
      { messageId: id, tenantId, template: message.template },
      'email suppressed: the recipient limit is reached',
    )
    const entry = entryNow('suppressed', 'recipient limit')
    if (await messages.move(tenantId, id, 'suppressed', entry, ['queued'])) suppressedCounts.add('recipient_limit')
    return true
  }

  /** Undefined if the message was sent or its recipient suppressed meanwhile. */
  const claim = (tenantId: string, id: string): Promise<Message | undefined> =>
    database.tenant(tenantId).transaction(async () => {
      const message = await messages.find(tenantId, id)
      if (!message) return undefined
      const reason = await suppression.findReason(tenantId, message.to, message.category)
      if (reason === undefined) return messages.move(tenantId, id, 'sending', entryNow('sending'))
      // It may have been sent or suppressed already.
      if (await messages.move(tenantId, id, 'suppressed', entryNow('suppressed'))) suppressedCounts.add(reason)
      return undefined
    })

  async function compose(message: Message): Promise<{ mail: OutgoingMail; overrideError: string | undefined }> {
    const { id, tenantId, template, locale, to, category } = message
    const unsubscribe = category === 'marketing' ? unsubscribeUrl(deps, message) : undefined
    const data = signLinks(message.data, secrets, product)
    const texts = await overrides.forTemplate(tenantId, template)
    const render = (overrides: readonly LocalMailText[]) =>
      mailTemplates.render(template, locale, data, {
        overrides,
        tenantId,
        ...(unsubscribe !== undefined && { unsubscribeUrl: unsubscribe }),
      })
    let { result, overrideError } = await withOverrides(texts, render)
    if (texts.length > 0 && overrideError === undefined && !isSendable(mailTemplates, template)) {
      // Also checked when the override is saved, but only with sample data.
      const original = await render([])
      const [error] = await overrideErrors(result, original, data)
      if (error) [result, overrideError] = [original, `the override was ignored: ${error.pointer} ${error.detail}`]
    }
    const headers = {
      // The same for each attempt, so that servers can recognize a duplicate.
      'message-id': `<${id}@${domain}>`,
      'auto-submitted': 'auto-generated',
      ...(unsubscribe !== undefined && {
        'list-unsubscribe': `<${unsubscribe}>`,
        'list-unsubscribe-post': ONE_CLICK_UNSUBSCRIBE,
      }),
      ...Object.assign({}, ...providers.map(provider => provider.headers({ messageId: id }))),
    }
    return { mail: { messageId: id, tenantId, from, to, headers, ...result }, overrideError }
  }

  /** Suppresses an address that doesn't exist: one refusal says so, or two messages were refused without a reason. */
  async function recordBounce(message: Message, { message: reply, meaning }: BounceError): Promise<void> {
    const { tenantId, id, to } = message
    await database.tenant(tenantId).transaction(async () => {
      const isGone = meaning === 'address' || (meaning === 'unclear' && (await wasRefused(message)))
      await messages.move(tenantId, id, 'bounced', entryNow('bounced', reply))
      if (isGone) await suppression.addBounce(tenantId, to, new Date(clock.now() + HARD_BOUNCE_SUPPRESSION_MS))
    })
  }

  /** Whether the address refused this message before, or the last one that was sent to it. */
  async function wasRefused(message: Message): Promise<boolean> {
    const since = new Date(clock.now() - HARD_BOUNCE_SUPPRESSION_MS)
    const last = await messages.lastAnswered(message, since)
    return [message, last].some(answered =>
      answered?.history.some(({ type, detail = '' }) => type === 'bounced' && bounceMeaning(detail) === 'unclear'),
    )
  }

  /** Records a failed attempt. Throws the error if another attempt is due. */
  async function handleFailure(message: Message, error: unknown, attempt: number): Promise<void> {
    const { id, tenantId } = message
    const detail = error instanceof Error ? error.message : String(error)
    if (error instanceof BounceError) return recordBounce(message, error)
    const isPermanent = Problem.is(error) && error.status < 500
    const isLast = isPermanent || attempt >= MAX_ATTEMPTS
    log.warn(
      { messageId: id, attempt, err: error },
      isLast ? 'sending an email failed' : 'sending an email failed; it will be retried',
    )
    if (isLast) await messages.move(tenantId, id, 'failed', entryNow('failed', detail))
    // Not if an event of the provider has changed the state meanwhile.
    else await messages.move(tenantId, id, 'queued', entryNow('deferred', detail), ['sending'])
    if (!isPermanent) throw error
  }

  return {
    async run({ messageId, tenantId }, { attempt }) {
      if (await exceedsRecipientLimit(tenantId, messageId)) return
      const message = await claim(tenantId, messageId)
      if (!message) return
      let detail: string
      try {
        const { mail, overrideError } = await compose(message)
        if (overrideError) log.warn({ messageId, template: message.template }, overrideError)
        detail = [
          await sends.tracePromise(() => mailTransport.send(mail), {
            mail: { id: messageId, template: message.template, tenantId },
          }),
          overrideError,
        ]
          .filter(Boolean)
          .join('; ')
      } catch (error) {
        return handleFailure(message, error, attempt)
      }
      await messages.move(tenantId, messageId, 'sent', entryNow('sent', detail))
    },
  }
}
