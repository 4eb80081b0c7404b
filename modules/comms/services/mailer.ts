import type { Deps } from 'larder/kernel'
import { bareAddress } from '../domain/address.ts'
import { unsignedLinks } from '../domain/mail-links.ts'
import { createMessages } from './message-repository.ts'
import type { Mailer } from '../ports.ts'
import { createSuppressionList } from './suppression-list.ts'
import { createOwnTexts, inOwnWords } from './template-overrides.ts'

type MailerDeps = Deps<'database' | 'clock' | 'jobs' | 'mailTemplates' | 'product'>

export function createMailer(deps: MailerDeps): Mailer {
  const { database, jobs, mailTemplates, product } = deps
  const messages = createMessages(deps)
  const suppression = createSuppressionList(deps)
  const texts = createOwnTexts(deps)
  return {
    async send({ template, to, tenantId, data, locale = product.locales.default, key, category }) {
      const address = bareAddress(to)
      // Filled once now, so that what is wrong shows to the sender; and again, with signed links, when it leaves.
      const shown = unsignedLinks(data, product)
      const { made, slip } = inOwnWords(await texts.of(tenantId, template), own =>
        mailTemplates.check(template, locale, shown, { own }),
      )
      const kind = category ?? made.category
      const { subject } = made
      const message = { tenantId, template, to: address, locale, category: kind, subject, data, key, note: slip }
      return database.tenant(tenantId).transaction(async () => {
        const status = (await suppression.stops(tenantId, address, kind)) ? 'suppressed' : 'queued'
        const written = await messages.insert({ ...message, status })
        const messageId = written.id
        if (written.fresh && status === 'queued')
          await jobs.enqueue('comms.deliver', { messageId, tenantId }, { tenantId, key: messageId })
        return { messageId, status: written.status === 'suppressed' ? 'suppressed' : 'queued' }
      })
    },
  }
}
