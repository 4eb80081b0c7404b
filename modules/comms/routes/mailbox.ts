import { common, type Deps, listOf, listQuery, pageLimit, route, Type } from 'larder/kernel'
import { createMailbox, mayReadMailbox, READ_MAILBOX } from '../services/mailbox.ts'
import { KeptMailBody, WholeMailBody } from '../schemas.ts'

/** `public` as far as the kernel knows: the mailbox has a rule of its own, for people who develop on this machine. */
const ALLOW = [READ_MAILBOX, 'public'] as const
const REFUSED = [common.unauthenticated, common.forbidden]

export function mailboxRoutes(deps: Deps<'database' | 'product'>) {
  const mailbox = createMailbox(deps)
  return [
    route({
      method: 'get',
      path: '/communications/mailbox',
      allow: ALLOW,
      summary: 'The last 1,000 mails that the mailbox transport kept, of every tenant, newest first.',
      query: listQuery({ 'filter[to]': Type.Optional(Type.String({ maxLength: 254 })) }),
      replies: { 200: listOf(KeptMailBody) },
      problems: REFUSED,
      async handle({ caller, request, query }) {
        mayReadMailbox(caller, request, deps.product)
        const asked = { limit: pageLimit(query), cursor: query.cursor, to: query['filter[to]'] }
        const { data, nextCursor } = await mailbox.list(asked)
        return { data: data.map(mail => ({ ...mail, createdAt: mail.createdAt.toISOString() })), nextCursor }
      },
    }),
    route({
      method: 'get',
      path: '/communications/mailbox/:id',
      allow: ALLOW,
      summary: 'One kept mail: HTML, text and headers.',
      replies: { 200: WholeMailBody },
      problems: REFUSED,
      async handle({ caller, request, params }) {
        mayReadMailbox(caller, request, deps.product)
        const mail = await mailbox.find(params.id)
        return { ...mail, createdAt: mail.createdAt.toISOString() }
      },
    }),
  ]
}
