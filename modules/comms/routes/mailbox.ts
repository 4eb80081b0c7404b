import {
  common,
  type Deps,
  idPattern,
  listOf,
  listQuery,
  named,
  pageLimit,
  route,
  Timestamp,
  Type,
} from '@larder-dev/larder/kernel'
import { assertMailboxAccess, createMailbox, READ_MAILBOX_PERMISSION } from '../services/mailbox.ts'
import { MessageId } from './schemas.ts'

const StoredMailBody = named(
  'MailboxEmail',
  Type.Object({
    id: Type.String({ pattern: idPattern('eml') }),
    messageId: MessageId,
    tenantId: Type.String(),
    from: Type.String(),
    to: Type.String(),
    subject: Type.String(),
    createdAt: Timestamp,
  }),
)
const StoredMailDetailBody = named(
  'MailboxEmailDetails',
  Type.Object({
    ...StoredMailBody.properties,
    headers: Type.Record(Type.String(), Type.String()),
    html: Type.String(),
    text: Type.String(),
  }),
)

/** `public` for the kernel: `assertMailboxAccess` also admits developers on this machine. */
const ALLOW = [READ_MAILBOX_PERMISSION, 'public'] as const
const ACCESS_PROBLEMS = [common.unauthenticated, common.forbidden]

export function mailboxRoutes(deps: Deps<'systemDatabase' | 'product'>) {
  const mailbox = createMailbox(deps)
  return [
    route({
      method: 'get',
      path: '/communications/mailbox',
      operationId: 'listMailboxEmails',
      allow: ALLOW,
      summary: 'Lists the last 1,000 emails in the mailbox, of every tenant, newest first.',
      query: listQuery(),
      filters: { to: Type.String({ maxLength: 254 }) },
      replies: { 200: listOf(StoredMailBody) },
      problems: ACCESS_PROBLEMS,
      async handle({ caller, request, query, filters }) {
        assertMailboxAccess(caller, request, deps.product)
        const { data, nextCursor } = await mailbox.list({ ...query, ...filters, limit: pageLimit(query) })
        return { data: data.map(mail => ({ ...mail, createdAt: mail.createdAt.toISOString() })), nextCursor }
      },
    }),
    route({
      method: 'get',
      path: '/communications/mailbox/:id',
      operationId: 'getMailboxEmail',
      allow: ALLOW,
      summary: 'Returns an email in the mailbox with HTML, text and headers.',
      replies: { 200: StoredMailDetailBody },
      problems: ACCESS_PROBLEMS,
      async handle({ caller, request, params }) {
        assertMailboxAccess(caller, request, deps.product)
        const mail = await mailbox.find(params.id)
        return { ...mail, createdAt: mail.createdAt.toISOString() }
      },
    }),
  ]
}
