import { common, type Deps, listOf, route, type Static, Type } from '../../../kernel/contract.ts'
import { templateProblems } from '../../../kernel/templates/problems.ts'
import { refuseLinks, unsignedLinks } from '../links.ts'
import { problems } from '../problems.ts'
import { PreviewBody, SendBody, TemplateBody } from '../schemas.ts'

const Locale = SendBody.properties.locale

export function templateRoutes({ mailTemplates, product }: Deps<'mailTemplates' | 'product'>) {
  const preview = (key: string, locale = product.locales.default, data?: Static<typeof SendBody>['data']) => {
    if (!mailTemplates.has(key)) throw common.not_found({ what: 'mail template' })
    refuseLinks(data ?? {})
    const sample = mailTemplates.sample(key, locale)
    return mailTemplates.render(key, locale, unsignedLinks({ ...sample, ...data }, product))
  }

  return [
    route({
      method: 'get',
      path: '/communications/templates',
      allow: 'communications.template.read',
      summary: 'The mail templates of this product.',
      replies: { 200: listOf(TemplateBody) },
      handle: async () => ({ data: mailTemplates.list(), nextCursor: null }),
    }),
    route({
      method: 'get',
      path: '/communications/templates/:key/preview',
      allow: 'communications.template.read',
      summary: 'A mail as it would look, filled with the sample data of its template.',
      query: Type.Object({ locale: Locale }),
      replies: { 200: PreviewBody },
      handle: async ({ params, query }) => preview(params.key, query.locale),
    }),
    route({
      method: 'post',
      path: '/communications/templates/:key/preview',
      allow: 'communications.template.read',
      summary: 'A mail as it would look, filled with the sample data of its template and, over it, with yours.',
      body: Type.Object({ locale: Locale, data: SendBody.properties.data }),
      bodyLimit: 256 * 1024,
      replies: { 200: PreviewBody },
      problems: [problems.link_in_data, templateProblems.template_failed],
      idempotent: false,
      unit: 'own',
      handle: async ({ params, body }) => preview(params.key, body.locale, body.data),
    }),
  ]
}
