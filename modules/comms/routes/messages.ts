import { common, type Deps, listQuery, MINUTE, OneOf, pageLimit, route, Type, templateProblems } from 'larder/kernel'
import { refuseLinks } from '../domain/mail-links.ts'
import { createMessages } from '../services/message-repository.ts'
import { problems } from '../problems.ts'
import { MessageBody, MessageList, messageBody, SendBody } from '../schemas.ts'
import { entry, RETRYABLE, STATES } from '../domain/message-states.ts'
import { createSuppressionList } from '../services/suppression-list.ts'
import { createOwnTexts } from '../services/template-overrides.ts'

type MessageDeps = Deps<'database' | 'clock' | 'jobs' | 'mailer' | 'mailTemplates' | 'product'>

export function messageRoutes(deps: MessageDeps) {
  const { mailer, jobs, clock, mailTemplates, product } = deps
  const texts = createOwnTexts(deps)
  const messages = createMessages(deps)
  const suppression = createSuppressionList(deps)
  const found = async (tenantId: string, id: string) => {
    const message = await messages.find(tenantId, id)
    if (!message) throw common.not_found({ what: 'message' })
    return message
  }
  /** Who sends by the API learns what is wrong with the own text, too: a reader would get the product's. */
  async function assertFillable(tenantId: string, key: string, locale = product.locales.default, data = {}) {
    mailTemplates.check(key, locale, data, { own: await texts.of(tenantId, key) })
  }

  return [
    route({
      method: 'get',
      path: '/communications/messages',
      allow: 'communications.message.read',
      summary: 'Mail of this tenant, newest first, with what became of it.',
      query: listQuery({
        'filter[status]': Type.Optional(OneOf(STATES)),
        'filter[to]': Type.Optional(Type.String({ maxLength: 254 })),
        sort: Type.Optional(OneOf(['createdAt', '-createdAt'])),
      }),
      replies: { 200: MessageList },
      async handle({ query, tenantId }) {
        const { data, nextCursor } = await messages.list(tenantId, {
          limit: pageLimit(query),
          cursor: query.cursor,
          status: query['filter[status]'],
          to: query['filter[to]'],
          oldestFirst: query.sort === 'createdAt',
        })
        return { data: data.map(messageBody), nextCursor }
      },
    }),
    route({
      method: 'post',
      path: '/communications/messages',
      allow: 'communications.message.send',
      summary: 'Sends one mail from a template. A suppressed recipient answers 202 with status suppressed.',
      body: SendBody,
      bodyLimit: 256 * 1024,
      replies: { 202: MessageBody },
      problems: [
        problems.invalid_address,
        problems.link_in_data,
        templateProblems.unknown_template,
        templateProblems.template_failed,
      ],
      limits: [{ name: 'communications.send', points: 60, window: MINUTE, by: 'principal' }],
      async handle({ body: { templateKey, to, data = {}, locale }, tenantId }) {
        refuseLinks(data)
        await assertFillable(tenantId, templateKey, locale, data)
        const { messageId } = await mailer.send({ template: templateKey, to, data, locale, tenantId })
        return messageBody(await found(tenantId, messageId))
      },
    }),
    route({
      method: 'get',
      path: '/communications/messages/:id',
      allow: 'communications.message.read',
      summary: 'One mail and what became of it.',
      replies: { 200: MessageBody },
      handle: async ({ params, tenantId }) => messageBody(await found(tenantId, params.id)),
    }),
    route({
      method: 'post',
      path: '/communications/messages/:id/retry',
      allow: 'communications.message.retry',
      summary: 'Sends a failed, bounced or suppressed mail again.',
      replies: { 202: MessageBody },
      problems: [problems.message_not_retryable, problems.still_suppressed],
      async handle({ params: { id }, tenantId }) {
        const message = await found(tenantId, id)
        const { status, to, category } = message
        if (!RETRYABLE.includes(status)) throw problems.message_not_retryable({ status })
        if (await suppression.stops(tenantId, to, category)) throw problems.still_suppressed({ address: to })
        const queued = await messages.move(tenantId, id, 'queued', entry('queued', clock.now(), 'asked for again'))
        // Somebody else was faster.
        if (!queued) throw problems.message_not_retryable({ status: 'on its way' })
        await jobs.enqueue('comms.deliver', { messageId: id, tenantId }, { tenantId, key: id })
        return messageBody(queued)
      },
    }),
  ]
}
