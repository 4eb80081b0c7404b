import { common, type Deps, listOf, MINUTE, route, type Static, templateProblems } from 'larder/kernel'
import { refuseLinks, unsignedLinks } from '../domain/mail-links.ts'
import { problems } from '../problems.ts'
import { DraftBody, LocaleQuery, PreviewBody, type SendBody, TemplateBody, type TextBody } from '../schemas.ts'
import { createOwnTexts } from '../services/template-overrides.ts'

interface Shown {
  readonly tenantId: string
  readonly key: string
  readonly locale: string | undefined
  readonly data?: Static<typeof SendBody>['data']
  /** What somebody is writing, in the place of what was written. */
  readonly draft?: Static<typeof TextBody> | undefined
}

export function templateRoutes(deps: Deps<'database' | 'clock' | 'mailTemplates' | 'product'>) {
  const { mailTemplates, product } = deps
  const texts = createOwnTexts(deps)

  async function preview({ tenantId, key, locale = product.locales.default, data = {}, draft }: Shown) {
    if (!mailTemplates.has(key)) throw common.not_found({ what: 'mail template' })
    refuseLinks(data)
    const sample = mailTemplates.sample(key, locale)
    const own = draft ? [{ locale, preheader: null, text: null, ...draft }] : await texts.of(tenantId, key)
    return mailTemplates.render(key, locale, unsignedLinks({ ...sample, ...data }, product), { own })
  }

  return [
    route({
      method: 'get',
      path: '/communications/templates',
      allow: 'communications.template.read',
      summary: 'The mail templates of this product.',
      replies: { 200: listOf(TemplateBody) },
      async handle({ tenantId }) {
        const own = await texts.locales(tenantId)
        const data = mailTemplates.list().map(info => ({ ...info, own: own.get(info.key) ?? [] }))
        return { data, nextCursor: null }
      },
    }),
    route({
      method: 'get',
      path: '/communications/templates/:key/preview',
      allow: 'communications.template.read',
      summary: 'A mail as it would look, filled with the sample data of its template.',
      query: LocaleQuery,
      replies: { 200: PreviewBody },
      handle: ({ params: { key }, query: { locale }, tenantId }) => preview({ tenantId, key, locale }),
    }),
    route({
      method: 'post',
      path: '/communications/templates/:key/preview',
      allow: 'communications.template.read',
      summary:
        'A mail as it would look, filled with its sample data and, over it, with yours; in its own text, or in a draft.',
      body: DraftBody,
      bodyLimit: 512 * 1024,
      replies: { 200: PreviewBody },
      problems: [problems.link_in_data, templateProblems.template_invalid, templateProblems.template_failed],
      limits: [{ name: 'communications.templates', points: 60, window: MINUTE, by: 'principal' }],
      idempotent: false,
      unit: 'own',
      handle: ({ params: { key }, body, tenantId }) => preview({ tenantId, key, ...body, locale: body.locale }),
    }),
  ]
}
