import {
  common,
  type Deps,
  listOf,
  listQuery,
  MINUTE,
  OneOf,
  route,
  Type,
  together,
  unworded,
  wording,
  workerPoolProblems,
} from '@larder-dev/larder/kernel'
import { templateProblems } from '@larder-dev/larder/kernel/internal'
import { parseAddress } from '../domain/address.ts'
import { rejectSignedLinks } from '../domain/mail-links.ts'
import { historyEntry, RETRYABLE, STATES } from '../domain/message-states.ts'
import type { MailCategory } from '../ports.ts'
import { problems } from '../problems.ts'
import { assertSendable, SEND_ENTITLEMENT } from '../services/api-sending.ts'
import { createMailSender } from '../services/mail-sender.ts'
import { createMessageListing } from '../services/message-listing.ts'
import { createMessageRepository } from '../services/message-repository.ts'
import { createSuppressionList } from '../services/suppression-list.ts'
import { Locale, MessageBody, Recipient, TemplateData, toMessageBody } from './schemas.ts'

/** @param keys of templates that can be sent by API */
const sendBody = (keys: readonly string[]) =>
  Type.Object(
    {
      templateKey: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'For example identity.welcome',
        examples: [...keys],
      }),
      to: Recipient,
      data: Type.Optional(TemplateData),
      locale: Type.Optional(Locale),
    },
    { examples: [{ templateKey: 'comms.test', to: 'ada@example.com', data: { note: 'Hello' } }] },
  )

type MessageDeps = Deps<
  'database' | 'systemDatabase' | 'log' | 'clock' | 'jobs' | 'mailTemplates' | 'product',
  'entitlements'
>

export function messageRoutes(deps: MessageDeps) {
  const { jobs, clock, mailTemplates, entitlements } = deps
  const sender = createMailSender(deps)
  const messages = createMessageRepository(deps)
  const listing = createMessageListing(deps)
  const suppression = createSuppressionList(deps)
  const findMessage = async (tenantId: string, id: string) => {
    const message = await messages.find(tenantId, id)
    if (!message) throw common.not_found({ what: 'message' })
    return message
  }
  const assertNotSuppressed = async (tenantId: string, address: string, category: MailCategory) => {
    if (await suppression.isSuppressed(tenantId, address, category)) throw problems.still_suppressed({ address })
  }
  return [
    route({
      method: 'get',
      path: '/communications/messages',
      operationId: 'listEmails',
      allow: 'communications.message.read',
      summary: "Lists the tenant's emails with their status, newest first.",
      query: listQuery({ sort: Type.Optional(OneOf(['createdAt', '-createdAt'])) }),
      filters: { status: OneOf(STATES), to: Type.String({ maxLength: 254 }) },
      replies: { 200: listOf(MessageBody) },
      async handle({ query, filters, tenantId }) {
        const { data, nextCursor } = await listing.list(tenantId, {
          ...query,
          ...filters,
          oldestFirst: query.sort === 'createdAt',
        })
        return { data: data.map(toMessageBody), nextCursor }
      },
    }),
    route({
      method: 'post',
      path: '/communications/messages',
      operationId: 'sendEmail',
      allow: 'communications.message.send',
      verifiedEmail: true,
      summary: 'Sends an email from a template. For a suppressed recipient, returns 202 with the status `suppressed`.',
      body: sendBody(mailTemplates.list().flatMap(({ key, sendable }) => (sendable ? key : []))),
      bodyLimit: 256 * 1024,
      replies: { 202: MessageBody },
      problems: [
        workerPoolProblems.worker_pool_busy,
        'entitlement_exceeded',
        problems.invalid_address,
        problems.link_in_data,
        problems.template_not_sendable,
        templateProblems.unknown_template,
        templateProblems.template_failed,
      ],
      limits: [{ name: 'communications.send', points: 60, window: MINUTE, by: 'principal' }],
      // No unit: it would hold a connection while the override is rendered.
      unit: 'own',
      async handle({ body: { templateKey, to, data = {}, locale }, tenantId }) {
        rejectSignedLinks(data)
        assertSendable(mailTemplates, templateKey)
        parseAddress(to)
        const reserve = () =>
          together({
            rowStorage: entitlements?.requireRowStorage(tenantId, Buffer.byteLength(JSON.stringify(data))),
            sending: entitlements?.require(tenantId, SEND_ENTITLEMENT),
          })
        const mail = { template: templateKey, to, data, locale, tenantId }
        return toMessageBody(await sender.send(mail, { strict: true, reserve }))
      },
    }),
    route({
      method: 'get',
      path: '/communications/messages/:id',
      operationId: 'getEmail',
      allow: 'communications.message.read',
      summary: 'Returns an email with its status and history.',
      replies: { 200: MessageBody },
      handle: async ({ params, tenantId }) => toMessageBody(await findMessage(tenantId, params.id)),
    }),
    route({
      method: 'post',
      path: '/communications/messages/:id/retry',
      operationId: 'retryEmail',
      allow: 'communications.message.retry',
      verifiedEmail: true,
      summary: 'Resends a failed, bounced or suppressed email.',
      replies: { 202: MessageBody },
      problems: ['entitlement_exceeded', problems.message_not_retryable, problems.still_suppressed],
      async handle({ params: { id }, tenantId }) {
        const { status, to, category } = await findMessage(tenantId, id)
        if (!RETRYABLE.includes(status)) throw problems.message_not_retryable({ status: unworded(status) })
        const { queued } = await together({
          recipient: assertNotSuppressed(tenantId, to, category),
          sending: entitlements?.require(tenantId, SEND_ENTITLEMENT),
          queued: messages.move(tenantId, id, 'queued', historyEntry('queued', clock.now(), 'resent')),
        })
        // A concurrent request was first.
        if (!queued) throw problems.message_not_retryable({ status: wording('on its way') })
        await jobs.enqueue('comms.deliver', { messageId: id, tenantId }, { tenantId, key: id })
        return toMessageBody(queued)
      },
    }),
  ]
}
