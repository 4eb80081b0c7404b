/** Sends what waits: the job `comms.deliver`. */
import { DAY, type Deps, type JobContext, MINUTE, Problem } from 'larder/kernel'
import { providersOf } from './providers/configured-providers.ts'
import { resolveLinks } from '../domain/mail-links.ts'
import { createMessages, type Message } from './message-repository.ts'
import { type CommsOptions, senderOf } from '../options.ts'
import { entry } from '../domain/message-states.ts'
import { createSuppressionList } from './suppression-list.ts'
import { Bounce, type OutgoingMail } from './transports/transport.ts'
import { unsubscribeUrl } from './unsubscribe-service.ts'
import { createOwnTexts, inOwnWords } from './template-overrides.ts'

/** About a day in all. */
export const ATTEMPTS = 18
/** Milliseconds before the next attempt. */
export const backoff = (failed: number): number => Math.round(5 * MINUTE * 1.3 ** (failed - 1))
/** How long an address is left alone after the other side refused it for good. */
export const BOUNCE_PAUSE = 30 * DAY

/** RFC 8058: a mailbox may offer to unsubscribe by one click, which it posts. */
const ONE_CLICK = 'List-Unsubscribe=One-Click'

type DeliveryDeps = Deps<
  'database' | 'clock' | 'log' | 'mailTemplates' | 'mailTransport' | 'secrets' | 'product',
  'mailProvider'
>
export interface Delivery {
  /** Throws where another attempt is due. */
  run(data: { messageId: string; tenantId: string }, context: Pick<JobContext, 'attempt'>): Promise<void>
}

export function createDelivery(deps: DeliveryDeps, options: CommsOptions): Delivery {
  const { database, clock, log, mailTemplates, mailTransport, secrets, product } = deps
  const messages = createMessages(deps)
  const suppression = createSuppressionList(deps)
  const texts = createOwnTexts(deps)
  const providers = providersOf(deps, options)
  const from = senderOf(options, product)
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const happened = (type: Parameters<typeof entry>[0], detail?: string) => entry(type, clock.now(), detail)

  /** Takes the message, unless it was sent, or its recipient suppressed, meanwhile. */
  const claim = (tenantId: string, id: string): Promise<Message | undefined> =>
    database.tenant(tenantId).transaction(async () => {
      const message = await messages.find(tenantId, id)
      if (!message) return undefined
      if (!(await suppression.stops(tenantId, message.to, message.category)))
        return messages.move(tenantId, id, 'sending', happened('sending'))
      await messages.move(tenantId, id, 'suppressed', happened('suppressed'))
      return undefined
    })

  /** The mail, and what was wrong with the tenant's own text of it. */
  async function compose(message: Message): Promise<{ mail: OutgoingMail; slip: string | undefined }> {
    const { id, tenantId, template, locale, to, category } = message
    const out = category === 'marketing' ? unsubscribeUrl(deps, message) : undefined
    const data = resolveLinks(message.data, secrets, product)
    const own = await texts.of(tenantId, template)
    const { made, slip } = inOwnWords(own, own =>
      mailTemplates.render(template, locale, data, { own, ...(out !== undefined && { unsubscribeUrl: out }) }),
    )
    const headers = {
      // The same for each attempt: a server that had it already can tell.
      'message-id': `<${id}@${domain}>`,
      'auto-submitted': 'auto-generated',
      ...(out !== undefined && { 'list-unsubscribe': `<${out}>`, 'list-unsubscribe-post': ONE_CLICK }),
      ...Object.assign({}, ...providers.map(provider => provider.headers({ messageId: id }))),
    }
    return { mail: { messageId: id, tenantId, from, to, headers, ...made }, slip }
  }

  async function bounce({ tenantId, id, to }: Message, answer: string): Promise<void> {
    await database.tenant(tenantId).transaction(async () => {
      await messages.move(tenantId, id, 'bounced', happened('bounced', answer))
      await suppression.bounced(tenantId, to, new Date(clock.now() + BOUNCE_PAUSE))
    })
  }

  /** What an error means for the message; throws it where another attempt is due. */
  async function settle(message: Message, error: unknown, attempt: number): Promise<void> {
    const { id, tenantId } = message
    const answer = error instanceof Error ? error.message : String(error)
    if (error instanceof Bounce) return bounce(message, answer)
    const unfillable = Problem.is(error) && error.status < 500
    const given = unfillable || attempt >= ATTEMPTS
    log.warn({ messageId: id, attempt, err: error }, given ? 'a mail could not be sent' : 'a mail is tried again later')
    if (given) await messages.move(tenantId, id, 'failed', happened('failed', answer))
    // Unless a provider has told of it meanwhile.
    else await messages.move(tenantId, id, 'queued', happened('deferred', answer), ['sending'])
    if (!unfillable) throw error
  }

  return {
    async run({ messageId, tenantId }, { attempt }) {
      const message = await claim(tenantId, messageId)
      if (!message) return
      let answer: string
      try {
        const { mail, slip } = await compose(message)
        if (slip) log.warn({ messageId, template: message.template }, slip)
        answer = [await mailTransport.send(mail), slip].filter(Boolean).join('; ')
      } catch (error) {
        return settle(message, error, attempt)
      }
      await messages.move(tenantId, messageId, 'sent', happened('sent', answer))
    },
  }
}
