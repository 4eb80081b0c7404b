/** The port `mailer`. */
import type { Deps } from 'larder/kernel'
import { parseAddress } from '../domain/address.ts'
import { unsignedLinks } from '../domain/mail-links.ts'
import type { Mailer } from '../ports.ts'
import { createMessageRepository } from './message-repository.ts'
import { createSuppressedCounts } from './suppressed-counts.ts'
import { createSuppressionList } from './suppression-list.ts'
import { createTemplateOverrides, withOverrides } from './template-overrides.ts'

type MailerDeps = Deps<'database' | 'systemDatabase' | 'log' | 'clock' | 'jobs' | 'mailTemplates' | 'product'>

export function createMailer(deps: MailerDeps): Mailer {
  const { database, jobs, mailTemplates, product } = deps
  const messages = createMessageRepository(deps)
  const suppression = createSuppressionList(deps)
  const overrides = createTemplateOverrides(deps)
  const suppressedCounts = createSuppressedCounts(deps)
  return {
    async send({ template, to, tenantId, data, locale = product.locales.default, key, category }) {
      const address = parseAddress(to)
      // Rendered here to report errors to the sender, and again with signed links when the message is sent.
      const checkedData = unsignedLinks(data, product)
      const texts = await overrides.forTemplate(tenantId, template)
      const { result, overrideError } = await withOverrides(texts, overrides =>
        mailTemplates.check(template, locale, checkedData, { overrides, tenantId }),
      )
      const { subject } = result
      const mailCategory = category ?? result.category
      return database.tenant(tenantId).transaction(async () => {
        const reason = await suppression.findReason(tenantId, address, mailCategory)
        const message = await messages.insert({
          tenantId,
          template,
          to: address,
          locale,
          category: mailCategory,
          subject,
          data,
          key,
          note: overrideError,
          status: reason === undefined ? 'queued' : 'suppressed',
        })
        if (message.created && reason !== undefined) suppressedCounts.add(reason)
        if (message.created && reason === undefined)
          await jobs.enqueue('comms.deliver', { messageId: message.id, tenantId }, { tenantId, key: message.id })
        return { messageId: message.id, status: message.status === 'suppressed' ? 'suppressed' : 'queued' }
      })
    },
  }
}
