import {
  common,
  type Deps,
  invalidField,
  MINUTE,
  Nullable,
  named,
  reply,
  route,
  Timestamp,
  Type,
  wording,
  workerPoolProblems,
} from '@larder-dev/larder/kernel'
import { type LocalMailText, matchLocale, templateProblems } from '@larder-dev/larder/kernel/internal'
import { parseAddress } from '../domain/address.ts'
import { rejectSignedLinks, unsignedLinks } from '../domain/mail-links.ts'
import { overrideErrors } from '../domain/product-mail-policy.ts'
import { problems } from '../problems.ts'
import type { TemplateOverride } from '../records/template-override.ts'
import { assertSendable, isSendable, SEND_ENTITLEMENT } from '../services/api-sending.ts'
import { createMailSender } from '../services/mail-sender.ts'
import { createTemplateOverrides } from '../services/template-overrides.ts'
import {
  Category,
  Locale,
  LocaleQuery,
  MessageBody,
  OverrideBody,
  Recipient,
  TemplateData,
  toMessageBody,
} from './schemas.ts'

const TemplateTextBody = named(
  'EmailTemplateText',
  Type.Object({
    key: Type.String(),
    locale: Type.String({ description: 'Locale of the text, which may differ from the requested one' }),
    source: Type.String({ description: 'tenant, recipe, or the module that provides it' }),
    category: Category,
    subject: Type.String(),
    preheader: Nullable(Type.String()),
    html: Type.String(),
    text: Nullable(Type.String()),
    updatedAt: Nullable(Timestamp),
  }),
)
const TestBody = Type.Object(
  { to: Recipient, locale: Type.Optional(Locale), data: Type.Optional(TemplateData) },
  { examples: [{ to: 'ada@example.com' }] },
)

type OverrideDeps = Deps<
  'database' | 'systemDatabase' | 'log' | 'clock' | 'jobs' | 'mailTemplates' | 'product',
  'entitlements'
>

export function templateOverrideRoutes(deps: OverrideDeps) {
  const { mailTemplates, product, entitlements } = deps
  const sender = createMailSender(deps)
  const overrides = createTemplateOverrides(deps)

  function assertTemplate(key: string): void {
    if (!mailTemplates.has(key)) throw common.not_found({ what: 'mail template' })
  }
  function resolveLocale(locale = product.locales.default): string {
    const { available } = product.locales
    const found = matchLocale(locale, available)
    if (found !== undefined) return found
    const text = wording('must be one of {choices}: locales.available of the recipe', { choices: available })
    throw invalidField('query/locale', 'not_allowed', text)
  }
  function toBody(key: string, requestedLocale: string, override: TemplateOverride | undefined) {
    const { locale, subject, preheader, html, text }: LocalMailText =
      override ?? mailTemplates.text(key, requestedLocale)
    const info = mailTemplates.list().find(template => template.key === key)
    return {
      key,
      locale,
      source: override ? 'tenant' : (info?.source ?? ''),
      category: info?.category ?? 'transactional',
      subject,
      preheader,
      html,
      text,
      updatedAt: override?.updatedAt.toISOString() ?? null,
    }
  }
  /** An override that can't be rendered with the sample data would fail for real emails, too. */
  async function assertRenderable(tenantId: string, key: string, override: LocalMailText): Promise<void> {
    await mailTemplates.validate(override, { tenantId })
    const sample = unsignedLinks(mailTemplates.sample(key, override.locale), product)
    await mailTemplates.check(key, override.locale, sample, { overrides: [override], tenantId })
    if (isSendable(mailTemplates, key)) return
    const render = (overrides: readonly LocalMailText[]) =>
      mailTemplates.render(key, override.locale, sample, { overrides, tenantId })
    const errors = await overrideErrors(await render([override]), await render([]), sample)
    if (errors.length > 0) throw problems.override_not_allowed({}, { errors })
  }

  return [
    route({
      method: 'get',
      path: '/communications/templates/:key',
      operationId: 'getEmailTemplate',
      allow: 'communications.template.read',
      summary: "Returns the text of an email template: the tenant's override or the product's text.",
      query: LocaleQuery,
      replies: { 200: TemplateTextBody },
      async handle({ params: { key }, query, tenantId }) {
        assertTemplate(key)
        const locale = resolveLocale(query.locale)
        const all = await overrides.forTemplate(tenantId, key)
        return toBody(
          key,
          locale,
          all.find(override => override.locale === locale),
        )
      },
    }),
    route({
      method: 'put',
      path: '/communications/templates/:key',
      operationId: 'overrideEmailTemplate',
      allow: 'communications.template.update',
      summary: 'Overrides an email template in one locale. The text must render with the sample data.',
      query: LocaleQuery,
      body: OverrideBody,
      bodyLimit: 512 * 1024,
      replies: { 200: TemplateTextBody, 201: TemplateTextBody },
      problems: [
        workerPoolProblems.worker_pool_busy,
        templateProblems.template_invalid,
        templateProblems.template_failed,
        problems.override_not_allowed,
      ],
      limits: [{ name: 'communications.templates', points: 60, window: MINUTE, by: 'principal' }],
      // No unit: it would hold a connection while the override is rendered.
      unit: 'own',
      async handle({ params: { key }, query, body, tenantId }) {
        assertTemplate(key)
        const locale = resolveLocale(query.locale)
        const text = { preheader: null, text: null, ...body }
        await assertRenderable(tenantId, key, { ...text, locale })
        const { override, created } = await overrides.write(tenantId, key, locale, text)
        const replyBody = toBody(key, locale, override)
        if (!created) return replyBody
        return reply(201, replyBody, { location: `/v1/communications/templates/${key}?locale=${locale}` })
      },
    }),
    route({
      method: 'delete',
      path: '/communications/templates/:key',
      operationId: 'deleteEmailTemplateOverride',
      allow: 'communications.template.update',
      summary: "Removes the override of one locale, so that the product's text applies again.",
      query: LocaleQuery,
      replies: { 204: null },
      problems: [problems.not_overridden],
      async handle({ params: { key }, query, tenantId }) {
        // Also works for a template or locale that no longer exists.
        await overrides.remove(tenantId, key, query.locale ?? product.locales.default)
      },
    }),
    route({
      method: 'post',
      path: '/communications/templates/:key/test',
      operationId: 'sendTestEmail',
      allow: 'communications.message.send',
      verifiedEmail: true,
      summary: 'Sends a test email with the sample data of the template, which `data` overrides.',
      body: TestBody,
      bodyLimit: 256 * 1024,
      replies: { 202: MessageBody },
      problems: [
        workerPoolProblems.worker_pool_busy,
        'entitlement_exceeded',
        problems.invalid_address,
        problems.link_in_data,
        problems.template_not_sendable,
        templateProblems.template_failed,
      ],
      limits: [{ name: 'communications.test', points: 20, window: MINUTE, by: 'principal' }],
      // No unit: it would hold a connection while the message is rendered.
      unit: 'own',
      async handle({ params: { key }, body: { to, locale = product.locales.default, data = {} }, tenantId }) {
        assertTemplate(key)
        assertSendable(mailTemplates, key)
        rejectSignedLinks(data)
        parseAddress(to)
        const filled = { ...unsignedLinks(mailTemplates.sample(key, locale), product), ...data }
        return toMessageBody(
          await sender.send(
            { template: key, to, tenantId, locale, data: filled },
            { strict: true, reserve: async () => entitlements?.require(tenantId, SEND_ENTITLEMENT) },
          ),
        )
      },
    }),
  ]
}
