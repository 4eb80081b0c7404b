import {
  common,
  type Deps,
  listOf,
  MINUTE,
  named,
  route,
  type Static,
  Type,
  workerPoolProblems,
} from '@larder-dev/larder/kernel'
import { templateProblems } from '@larder-dev/larder/kernel/internal'
import { rejectSignedLinks, unsignedLinks } from '../domain/mail-links.ts'
import { problems } from '../problems.ts'
import { createTemplateOverrides } from '../services/template-overrides.ts'
import { Category, Locale, LocaleQuery, OverrideBody, TemplateData } from './schemas.ts'

const TemplateBody = named(
  'EmailTemplate',
  Type.Object({
    key: Type.String(),
    locales: Type.Array(Type.String()),
    source: Type.String({ description: 'The module that provides it, or recipe' }),
    category: Category,
    sendable: Type.Boolean({ description: 'Whether it can be sent by API' }),
    own: Type.Array(Type.String(), { description: "Locales of the tenant's overrides" }),
  }),
  { leavesOut: ['digest'] },
)
const PreviewRequestBody = Type.Object(
  { locale: Type.Optional(Locale), data: Type.Optional(TemplateData), draft: Type.Optional(OverrideBody) },
  { examples: [{ draft: { subject: 'Mail from {{product.name}}', html: '<p>This is {{product.name}}.</p>' } }] },
)
const PreviewBody = named(
  'EmailPreview',
  Type.Object({ subject: Type.String(), html: Type.String(), text: Type.String() }),
)

interface Preview {
  readonly tenantId: string
  readonly key: string
  readonly locale: string | undefined
  readonly data?: Static<typeof TemplateData>
  /** Replaces the stored override. */
  readonly draft?: Static<typeof OverrideBody> | undefined
}

export function templateRoutes(deps: Deps<'database' | 'clock' | 'mailTemplates' | 'product'>) {
  const { mailTemplates, product } = deps
  const overrides = createTemplateOverrides(deps)

  async function preview({ tenantId, key, locale = product.locales.default, data = {}, draft }: Preview) {
    if (!mailTemplates.has(key)) throw common.not_found({ what: 'mail template' })
    rejectSignedLinks(data)
    const sample = mailTemplates.sample(key, locale)
    const texts = draft
      ? [{ locale, preheader: null, text: null, ...draft }]
      : await overrides.forTemplate(tenantId, key)
    const values = unsignedLinks({ ...sample, ...data }, product)
    return mailTemplates.render(key, locale, values, { overrides: texts, tenantId })
  }

  return [
    route({
      method: 'get',
      path: '/communications/templates',
      operationId: 'listEmailTemplates',
      allow: 'communications.template.read',
      summary: 'Lists the email templates.',
      replies: { 200: listOf(TemplateBody) },
      async handle({ tenantId }) {
        const own = await overrides.locales(tenantId)
        const data = mailTemplates.list().map(info => ({ ...info, own: own.get(info.key) ?? [] }))
        return { data, nextCursor: null }
      },
    }),
    route({
      method: 'get',
      path: '/communications/templates/:key/preview',
      operationId: 'getEmailTemplatePreview',
      allow: 'communications.template.read',
      summary: 'Renders an email with the sample data of its template.',
      query: LocaleQuery,
      replies: { 200: PreviewBody },
      problems: [workerPoolProblems.worker_pool_busy],
      handle: ({ params: { key }, query: { locale }, tenantId }) => preview({ tenantId, key, locale }),
    }),
    route({
      method: 'post',
      path: '/communications/templates/:key/preview',
      operationId: 'previewEmailTemplate',
      allow: 'communications.template.read',
      summary: 'Renders an email or a draft with the sample data, which `data` overrides.',
      body: PreviewRequestBody,
      bodyLimit: 512 * 1024,
      replies: { 200: PreviewBody },
      problems: [
        workerPoolProblems.worker_pool_busy,
        problems.link_in_data,
        templateProblems.template_invalid,
        templateProblems.template_failed,
      ],
      limits: [{ name: 'communications.templates', points: 60, window: MINUTE, by: 'principal' }],
      idempotent: false,
      // No unit: it would hold a connection while the preview is rendered.
      unit: 'own',
      handle: ({ params: { key }, body, tenantId }) => preview({ tenantId, key, ...body, locale: body.locale }),
    }),
  ]
}
