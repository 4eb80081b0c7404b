import {
  common,
  type Deps,
  type FieldError,
  fieldError,
  KIB,
  Problem,
  reply,
  route,
  Type,
  tableRoutes,
  wording,
} from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { parseAddress } from '../domain/address.ts'
import { problems } from '../problems.ts'
import { SuppressionBody, suppressionTable } from '../records/suppression.ts'
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
    const error = fieldError(`${pointer}/expiresAt`, 'past', wording('must be in the future'))
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
    ...tableRoutes(suppressionTable, deps, {
      path: '/communications/suppression',
      list: {
        allow: 'communications.suppression.read',
        summary: 'Lists the suppressed addresses, newest first.',
        filters: { email: Type.String({ maxLength: 254 }) },
        page: (_query, { email }) => ({
          where: { email: email === undefined ? undefined : emailKey(email) },
          and: [['expires_at is null or expires_at > $1', [new Date(deps.clock.now())]]],
        }),
      },
      get: { allow: 'communications.suppression.read', summary: 'Returns an entry of the suppression list.' },
      delete: {
        allow: 'communications.suppression.delete',
        summary: 'Removes an entry from the suppression list.',
      },
    }),
  ]
}
