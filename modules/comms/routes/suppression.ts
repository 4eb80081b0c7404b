import { common, type Deps, listOf, listQuery, pageLimit, reply, route, Type } from 'larder/kernel'
import { bareAddress } from '../domain/address.ts'
import { problems } from '../problems.ts'
import { StopBody, SuppressionBody, suppressionBody } from '../schemas.ts'
import { createSuppressionList } from '../services/suppression-list.ts'
import { createSuppressionAdmin } from '../services/suppression-admin.ts'

/** Of what is over nobody would be kept from anything. */
const OVER = { pointer: '/expiresAt', code: 'past', detail: 'must lie in the future' }

export function suppressionRoutes(deps: Deps<'database' | 'models' | 'clock'>) {
  const suppression = createSuppressionList(deps)
  const admin = createSuppressionAdmin(deps)
  return [
    route({
      method: 'get',
      path: '/communications/suppression',
      allow: 'communications.suppression.read',
      summary: 'Addresses to which no mail of this tenant goes, newest first.',
      query: listQuery({ 'filter[email]': Type.Optional(Type.String({ maxLength: 254 })) }),
      replies: { 200: listOf(SuppressionBody) },
      async handle({ query, tenantId }) {
        const asked = { limit: pageLimit(query), cursor: query.cursor, email: query['filter[email]'] }
        const { data, nextCursor } = await suppression.list(tenantId, asked)
        return { data: data.map(suppressionBody), nextCursor }
      },
    }),
    route({
      method: 'post',
      path: '/communications/suppression',
      allow: 'communications.suppression.create',
      summary: 'Stops mail to an address. Again for the same address and category replaces reason and end: 200.',
      body: StopBody,
      replies: { 201: SuppressionBody, 200: SuppressionBody },
      problems: [problems.invalid_address],
      async handle({ body: { email, category = 'all', reason = 'manual', expiresAt }, tenantId }) {
        const address = bareAddress(email, '/email')
        const until = expiresAt ? new Date(expiresAt) : null
        if (until && until.getTime() <= deps.clock.now()) throw common.validation_failed({}, { errors: [OVER] })
        const { entry, fresh } = await admin.add(tenantId, { email: address, category, reason, expiresAt: until })
        const body = suppressionBody(entry)
        return fresh ? reply(201, body, { location: `/v1/communications/suppression/${entry.id}` }) : reply(200, body)
      },
    }),
    route({
      method: 'get',
      path: '/communications/suppression/:id',
      allow: 'communications.suppression.read',
      summary: 'One address to which no mail goes.',
      replies: { 200: SuppressionBody },
      handle: async ({ params, tenantId }) => suppressionBody(await suppression.find(tenantId, params.id)),
    }),
    route({
      method: 'delete',
      path: '/communications/suppression/:id',
      allow: 'communications.suppression.delete',
      summary: 'Lets mail to this address go again.',
      replies: { 204: null },
      async handle({ params }) {
        await admin.remove(params.id)
      },
    }),
  ]
}
