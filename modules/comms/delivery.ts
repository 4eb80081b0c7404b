/** Sends what waits: the job `comms.deliver`. */
import { type Deps, type JobContext, Problem } from '../../kernel/contract.ts'
import { DAY, MINUTE } from '../../kernel/units.ts'
import { resolveLinks } from './links.ts'
import { createMessages, type Message } from './messages.ts'
import { type CommsOptions, senderOf } from './options.ts'
import { entry } from './states.ts'
import { createSuppressionList } from './suppression.ts'
import { Bounce, type OutgoingMail } from './transports/transport.ts'

/** About a day in all. */
export const ATTEMPTS = 18
/** Milliseconds before the next attempt. */
export const backoff = (failed: number): number => Math.round(5 * MINUTE * 1.3 ** (failed - 1))
/** How long an address is left alone after the other side refused it for good. */
const BOUNCE_PAUSE = 30 * DAY

type DeliveryDeps = Deps<'database' | 'clock' | 'log' | 'mailTemplates' | 'mailTransport' | 'secrets' | 'product'>
export interface Delivery {
  /** Throws where another attempt is due. */
  run(data: { messageId: string; tenantId: string }, context: Pick<JobContext, 'attempt'>): Promise<void>
}

export function createDelivery(deps: DeliveryDeps, options: CommsOptions): Delivery {
  const { database, clock, log, mailTemplates, mailTransport, secrets, product } = deps
  const messages = createMessages(deps)
  const suppression = createSuppressionList(deps)
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

  function compose({ id, tenantId, template, locale, to, data }: Message): OutgoingMail {
    const rendered = mailTemplates.render(template, locale, resolveLinks(data, secrets, product))
    // The same for each attempt: a server that had it already can tell.
    const headers = { 'message-id': `<${id}@${domain}>`, 'auto-submitted': 'auto-generated' }
    return { messageId: id, tenantId, from, to, headers, ...rendered }
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
    else await messages.move(tenantId, id, 'queued', happened('deferred', answer))
    if (!unfillable) throw error
  }

  return {
    async run({ messageId, tenantId }, { attempt }) {
      const message = await claim(tenantId, messageId)
      if (!message) return
      let answer: string
      try {
        answer = await mailTransport.send(compose(message))
      } catch (error) {
        return settle(message, error, attempt)
      }
      await messages.move(tenantId, messageId, 'sent', happened('sent', answer))
    },
  }
}
