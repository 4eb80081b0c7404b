/** Checks an email, and queues it for its recipient. */

import { type Deps, newId, together } from '@larder-dev/larder/kernel'
import type { LocalMailText } from '@larder-dev/larder/kernel/internal'
import { parseAddress } from '../domain/address.ts'
import { unsignedLinks } from '../domain/mail-links.ts'
import type { Mail } from '../ports.ts'
import type { Message } from '../records/message.ts'
import { createMessageRepository, type NewMessage } from './message-repository.ts'
import { createSuppressedCounts } from './suppressed-counts.ts'
import { createSuppressionList } from './suppression-list.ts'
import { createTemplateOverrides, withOverrides } from './template-overrides.ts'

interface SendOptions {
  /** Throws errors in the tenant's override. Without it, the product's template is used instead. */
  readonly strict?: boolean
  /** Runs in the transaction that queues the email, for example to count it against a quota. */
  readonly reserve?: () => Promise<unknown>
}
export interface MailSender {
  /** Throws `unknown_template`, `template_failed` and `invalid_address`. */
  send(mail: Mail, options?: SendOptions): Promise<Message>
}
type MailSenderDeps = Deps<'database' | 'systemDatabase' | 'log' | 'clock' | 'jobs' | 'mailTemplates' | 'product'>

export function createMailSender(deps: MailSenderDeps): MailSender {
  const { database, clock, jobs, mailTemplates, product } = deps
  const messages = createMessageRepository(deps)
  const suppression = createSuppressionList(deps)
  const overrides = createTemplateOverrides(deps)
  const suppressedCounts = createSuppressedCounts(deps)
  return {
    async send({ template, to, tenantId, data, locale = product.locales.default, key, category }, options = {}) {
      const address = parseAddress(to)
      // Rendered here to report errors to the sender, and again with signed links when the message is sent.
      const checkedData = unsignedLinks(data, product)
      // A suppression that is added later holds the message back when it is delivered.
      const { texts, reasonFor } = await together({
        texts: overrides.forTemplate(tenantId, template),
        reasonFor: suppression.findReasons(tenantId, address),
      })
      const check = (overrides: readonly LocalMailText[]) =>
        mailTemplates.check(template, locale, checkedData, { overrides, tenantId })
      const { result, overrideError } = options.strict
        ? { result: await check(texts), overrideError: undefined }
        : await withOverrides(texts, check)
      const mailCategory = category ?? result.category
      const reason = reasonFor(mailCategory)
      const message: NewMessage = {
        id: newId('msg', clock.now()),
        tenantId,
        template,
        to: address,
        locale,
        category: mailCategory,
        subject: result.subject,
        data,
        key,
        note: overrideError,
        status: reason === undefined ? 'queued' : 'suppressed',
      }
      return database.tenant(tenantId).transaction(async () => {
        const { stored } = await together({ reserved: options.reserve?.(), stored: store(message, reason) })
        return stored
      })
    },
  }

  async function store(mail: NewMessage, reason: string | undefined): Promise<Message> {
    const enqueue = () =>
      jobs.enqueue(
        'comms.deliver',
        { messageId: mail.id, tenantId: mail.tenantId },
        { tenantId: mail.tenantId, key: mail.id },
      )
    // Without a key, the message is new: both are sent together.
    if (mail.key === undefined && reason === undefined)
      return (await together({ message: messages.insert(mail), job: enqueue() })).message
    const message = await messages.insert(mail)
    if (message.id === mail.id) {
      if (reason === undefined) await enqueue()
      else suppressedCounts.add(reason)
    }
    return message
  }
}
