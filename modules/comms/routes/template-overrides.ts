import { common, type Deps, type LocalMailText, MINUTE, reply, route, templateProblems } from 'larder/kernel'
import { refuseLinks, unsignedLinks } from '../domain/mail-links.ts'
import { createMessages } from '../services/message-repository.ts'
import { problems } from '../problems.ts'
import { LocaleQuery, MessageBody, messageBody, TestBody, TextBody, WholeTemplateBody } from '../schemas.ts'
import { createOwnTexts, type OwnText } from '../services/template-overrides.ts'

type OwnTextDeps = Deps<'database' | 'clock' | 'mailTemplates' | 'product' | 'mailer'>

/** What a tenant writes in the place of the product's mail templates. */
export function ownTextRoutes(deps: OwnTextDeps) {
  const { mailTemplates, product, mailer } = deps
  const texts = createOwnTexts(deps)
  const messages = createMessages(deps)

  function known(key: string): void {
    if (!mailTemplates.has(key)) throw common.not_found({ what: 'mail template' })
  }
  function spoken(locale = product.locales.default): string {
    const { available } = product.locales
    if (available.includes(locale)) return locale
    const detail = `must be ${available.length > 1 ? 'one of ' : ''}${available.join(', ')}: locales.available of the recipe`
    throw common.validation_failed({}, { errors: [{ pointer: 'query/locale', code: 'not_allowed', detail }] })
  }
  function shown(key: string, locale: string, own: OwnText | undefined) {
    const said: LocalMailText = own ?? mailTemplates.text(key, locale)
    const { subject, preheader, html, text } = said
    const info = mailTemplates.list().find(entry => entry.key === key)
    return {
      key,
      locale: said.locale,
      source: own ? 'tenant' : (info?.source ?? ''),
      category: info?.category ?? 'transactional',
      ...{ subject, preheader, html, text },
      updatedAt: own?.updatedAt.toISOString() ?? null,
    }
  }
  /** A text that cannot be filled from the sample would cost mails later. */
  function assertFillable(key: string, own: LocalMailText): void {
    mailTemplates.compile(own)
    mailTemplates.check(key, own.locale, unsignedLinks(mailTemplates.sample(key, own.locale), product), { own: [own] })
  }

  return [
    route({
      method: 'get',
      path: '/communications/templates/:key',
      allow: 'communications.template.read',
      summary: 'The text of a mail template: the own one of this tenant, or the one that it would replace.',
      query: LocaleQuery,
      replies: { 200: WholeTemplateBody },
      async handle({ params: { key }, query, tenantId }) {
        known(key)
        const locale = spoken(query.locale)
        const own = await texts.of(tenantId, key)
        return shown(
          key,
          locale,
          own.find(text => text.locale === locale),
        )
      },
    }),
    route({
      method: 'put',
      path: '/communications/templates/:key',
      allow: 'communications.template.update',
      summary: 'Writes an own text in the place of a template in one language. It must fill from the sample data.',
      query: LocaleQuery,
      body: TextBody,
      bodyLimit: 512 * 1024,
      replies: { 200: WholeTemplateBody, 201: WholeTemplateBody },
      problems: [templateProblems.template_invalid, templateProblems.template_failed],
      limits: [{ name: 'communications.templates', points: 60, window: MINUTE, by: 'principal' }],
      async handle({ params: { key }, query, body, tenantId }) {
        known(key)
        const locale = spoken(query.locale)
        const { subject, preheader = null, html, text = null } = body
        assertFillable(key, { locale, subject, preheader, html, text })
        const written = await texts.write(tenantId, key, locale, { subject, preheader, html, text })
        const answer = shown(key, locale, written.text)
        if (!written.fresh) return answer
        return reply(201, answer, { location: `/v1/communications/templates/${key}?locale=${locale}` })
      },
    }),
    route({
      method: 'delete',
      path: '/communications/templates/:key',
      allow: 'communications.template.update',
      summary: 'Takes the own text of one language back: the text of the product counts again.',
      query: LocaleQuery,
      replies: { 204: null },
      problems: [problems.not_overridden],
      async handle({ params: { key }, query, tenantId }) {
        // Also of a template or language that the product has no more.
        await texts.remove(tenantId, key, query.locale ?? product.locales.default)
      },
    }),
    route({
      method: 'post',
      path: '/communications/templates/:key/test',
      allow: 'communications.message.send',
      summary: 'Sends the mail to one address, filled with the sample data of its template and, over it, with yours.',
      body: TestBody,
      bodyLimit: 256 * 1024,
      replies: { 202: MessageBody },
      problems: [problems.invalid_address, problems.link_in_data, templateProblems.template_failed],
      limits: [{ name: 'communications.test', points: 20, window: MINUTE, by: 'principal' }],
      async handle({ params: { key }, body: { to, locale = product.locales.default, data = {} }, tenantId }) {
        known(key)
        refuseLinks(data)
        const filled = { ...unsignedLinks(mailTemplates.sample(key, locale), product), ...data }
        const own = await texts.of(tenantId, key)
        // Said to who tests it, and not left out as it would be for a reader.
        mailTemplates.check(key, locale, filled, { own })
        const { messageId } = await mailer.send({ template: key, to, tenantId, locale, data: filled })
        const message = await messages.find(tenantId, messageId)
        if (!message) throw common.not_found({ what: 'message' })
        return messageBody(message)
      },
    }),
  ]
}
