import { common, type Deps, named, route, Type, workerPoolProblems } from '@larder-dev/larder/kernel'
import { templateProblems } from '@larder-dev/larder/kernel/internal'
import { unsignedLinks } from '../domain/mail-links.ts'
import { createMessageRepository } from '../services/message-repository.ts'
import { createTemplateOverrides } from '../services/template-overrides.ts'

const EmailContent = named(
  'EmailContent',
  Type.Object({
    subject: Type.String({ description: 'As it was sent' }),
    html: Type.String({ description: 'Links to the product have no tokens' }),
    text: Type.String(),
  }),
)

export function messageContentRoutes(deps: Deps<'database' | 'clock' | 'mailTemplates' | 'product'>) {
  const { mailTemplates, product } = deps
  const messages = createMessageRepository(deps)
  const overrides = createTemplateOverrides(deps)
  return [
    route({
      method: 'get',
      path: '/communications/messages/:id/content',
      operationId: 'getEmailContent',
      allow: 'communications.message.read_content',
      summary: 'Renders an email from its data with the current template, without the tokens of its links.',
      replies: { 200: EmailContent },
      problems: [
        workerPoolProblems.worker_pool_busy,
        templateProblems.unknown_template,
        templateProblems.template_failed,
      ],
      async handle({ params, tenantId }) {
        const message = await messages.find(tenantId, params.id)
        if (!message) throw common.not_found({ what: 'message' })
        const { template, locale, subject } = message
        const texts = await overrides.forTemplate(tenantId, template)
        const data = unsignedLinks(message.data, product)
        const { html, text } = await mailTemplates.render(template, locale, data, { overrides: texts, tenantId })
        return { subject, html, text }
      },
    }),
  ]
}
