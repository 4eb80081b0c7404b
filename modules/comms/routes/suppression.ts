import {
  common,
  type Deps,
  idPattern,
  listOf,
  listQuery,
  Nullable,
  named,
  OneOf,
  reply,
  route,
  type Static,
  Timestamp,
  Type,
} from 'larder/kernel'
import { parseAddress } from '../domain/address.ts'
import { problems } from '../problems.ts'
import { createSuppressionAdmin } from '../services/suppression-admin.ts'
import type { Suppression } from '../services/suppression-list.ts'

const SuppressionCategory = OneOf(['all', 'marketing'], {
  description: 'all suppresses every email, marketing only marketing emails',
})
const SuppressionBody = named(
  'Suppression',
  Type.Object({
    id: Type.String({ pattern: idPattern('sup') }),
    email: Type.String(),
    category: SuppressionCategory,
    reason: Type.String(),
    expiresAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
const NewSuppressionBody = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254 }),
    category: Type.Optional(SuppressionCategory),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    expiresAt: Type.Optional(Nullable(Timestamp)),
  },
  { examples: [{ email: 'ada@example.com', category: 'marketing', reason: 'asked by phone' }] },
)

const EXPIRY_IN_PAST = { pointer: '/expiresAt', code: 'past', detail: 'must be in the future' }

export function suppressionRoutes(deps: Deps<'database' | 'models' | 'clock'>) {
  const suppression = createSuppressionAdmin(deps)
  return [
    route({
      method: 'get',
      path: '/communications/suppression',
      operationId: 'listSuppressions',
      allow: 'communications.suppression.read',
      summary: 'Lists the suppressed addresses, newest first.',
      query: listQuery({ 'filter[email]': Type.Optional(Type.String({ maxLength: 254 })) }),
      replies: { 200: listOf(SuppressionBody) },
      async handle({ query, tenantId }) {
        const { data, nextCursor } = await suppression.list(tenantId, { ...query, email: query['filter[email]'] })
        return { data: data.map(toSuppressionBody), nextCursor }
      },
    }),
    route({
      method: 'post',
      path: '/communications/suppression',
      operationId: 'createSuppression',
      allow: 'communications.suppression.create',
      summary:
        'Suppresses emails to an address. For an existing address and category, replaces reason and expiry (200).',
      body: NewSuppressionBody,
      replies: { 201: SuppressionBody, 200: SuppressionBody },
      problems: [problems.invalid_address],
      async handle({ body: { email, category = 'all', reason = 'manual', expiresAt }, tenantId }) {
        const address = parseAddress(email, '/email')
        const until = expiresAt ? new Date(expiresAt) : null
        if (until && until.getTime() <= deps.clock.now())
          throw common.validation_failed({}, { errors: [EXPIRY_IN_PAST] })
        const { entry, created } = await suppression.add(tenantId, {
          email: address,
          category,
          reason,
          expiresAt: until,
        })
        const body = toSuppressionBody(entry)
        return created ? reply(201, body, { location: `/v1/communications/suppression/${entry.id}` }) : reply(200, body)
      },
    }),
    route({
      method: 'get',
      path: '/communications/suppression/:id',
      operationId: 'getSuppression',
      allow: 'communications.suppression.read',
      summary: 'Returns an entry of the suppression list.',
      replies: { 200: SuppressionBody },
      handle: async ({ params, tenantId }) => toSuppressionBody(await suppression.find(tenantId, params.id)),
    }),
    route({
      method: 'delete',
      path: '/communications/suppression/:id',
      operationId: 'deleteSuppression',
      allow: 'communications.suppression.delete',
      summary: 'Removes an entry from the suppression list.',
      replies: { 204: null },
      async handle({ params }) {
        await suppression.remove(params.id)
      },
    }),
  ]
}

const toSuppressionBody = (entry: Suppression): Static<typeof SuppressionBody> => ({
  id: entry.id,
  email: entry.email,
  category: entry.category,
  reason: entry.reason,
  expiresAt: entry.expiresAt?.toISOString() ?? null,
  createdAt: entry.createdAt.toISOString(),
  updatedAt: entry.updatedAt.toISOString(),
})
