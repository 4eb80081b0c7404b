import {
  common,
  type Deps,
  type FieldError,
  KIB,
  listOf,
  listQuery,
  Problem,
  reply,
  route,
  Type,
} from '@larder-dev/larder/kernel'
import { parseAddress } from '../domain/address.ts'
import { problems } from '../problems.ts'
import { SuppressionBody } from '../records/suppression.ts'
import { createSuppressionAdmin, type NewSuppression } from '../services/suppression-admin.ts'
import { ImportResult, NewSuppressionBody, SuppressionImport } from './suppression-schemas.ts'

/** Bytes of an import. */
const IMPORT_LIMIT = 512 * KIB

/** Throws `invalid_address` or `validation_failed`. */
function toEntry(body: NewSuppressionBody, now: number, pointer = ''): NewSuppression {
  const { email, category = 'all', reason = 'manual', expiresAt } = body
  const address = parseAddress(email, `${pointer}/email`)
  const until = expiresAt ? new Date(expiresAt) : null
  if (until && until.getTime() <= now) {
    const error = { pointer: `${pointer}/expiresAt`, code: 'past', detail: 'must be in the future' }
    throw common.validation_failed({}, { errors: [error] })
  }
  return { email: address, category, reason, expiresAt: until }
}

/** Throws `validation_failed` with the errors of every entry. */
function toEntries(bodies: readonly NewSuppressionBody[], now: number): NewSuppression[] {
  const entries: NewSuppression[] = []
  const errors: FieldError[] = []
  for (const [index, body] of bodies.entries())
    try {
      entries.push(toEntry(body, now, `/entries/${index}`))
    } catch (error) {
      if (!Problem.is(error)) throw error
      errors.push(...(error.extras.errors as FieldError[]))
    }
  if (errors.length > 0) throw common.validation_failed({}, { errors })
  return entries
}

export function suppressionRoutes(deps: Deps<'database' | 'clock'>) {
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
        return suppression.list(tenantId, { ...query, email: query['filter[email]'] })
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
      async handle({ body: given, tenantId }) {
        const { entry, created } = await suppression.add(tenantId, toEntry(given, deps.clock.now()))
        return created
          ? reply(201, entry, { location: `/v1/communications/suppression/${entry.id}` })
          : reply(200, entry)
      },
    }),
    route({
      method: 'post',
      path: '/communications/suppression/import',
      operationId: 'importSuppressions',
      allow: 'communications.suppression.create',
      summary: 'Adds up to 1,000 addresses to the suppression list: all or none.',
      description: 'For an existing address and category, replaces reason and expiry.',
      body: SuppressionImport,
      bodyLimit: IMPORT_LIMIT,
      replies: { 200: ImportResult },
      handle: async ({ body: { entries }, tenantId }) =>
        suppression.addAll(tenantId, toEntries(entries, deps.clock.now())),
    }),
    route({
      method: 'get',
      path: '/communications/suppression/:id',
      operationId: 'getSuppression',
      allow: 'communications.suppression.read',
      summary: 'Returns an entry of the suppression list.',
      replies: { 200: SuppressionBody },
      handle: ({ params, tenantId }) => suppression.find(tenantId, params.id),
    }),
    route({
      method: 'delete',
      path: '/communications/suppression/:id',
      operationId: 'deleteSuppression',
      allow: 'communications.suppression.delete',
      summary: 'Removes an entry from the suppression list.',
      replies: { 204: null },
      async handle({ params, tenantId }) {
        await suppression.remove(tenantId, params.id)
      },
    }),
  ]
}
