/** Redirects in request bodies and replies. */
import {
  bodyOf,
  idPattern,
  Nullable,
  named,
  type Static,
  Time,
  Type,
  table,
  Writable,
  without,
} from '@larder-dev/larder/kernel'
import { REDIRECT_STATUSES, type RedirectStatus as RedirectStatusValue } from '../domain/redirect-rules.ts'
import { ManagedBy } from './page.ts'

const RedirectFrom = Type.String({ minLength: 1, maxLength: 512, pattern: '^/', examples: ['/old/*'] })
const RedirectTo = Type.String({ minLength: 1, maxLength: 1024, examples: ['/new/:splat'] })
/** An enum, so that the error for another value lists the allowed ones. */
const RedirectStatus = Type.Unsafe<RedirectStatusValue>({
  type: 'integer',
  enum: [...REDIRECT_STATUSES],
})

export const Redirect = named(
  'Redirect',
  Type.Object({
    id: Type.String({ pattern: idPattern('red') }),
    from: Writable(Type.String(), RedirectFrom),
    to: Writable(Nullable(Type.String()), Type.Optional(Nullable(RedirectTo))),
    status: Writable(RedirectStatus, Type.Optional(RedirectStatus)),
    managedBy: ManagedBy,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type Redirect = Static<typeof Redirect>

/** Events have the others. */
export const redirectEventFields = without(Redirect.properties, ['id', 'managedBy', 'createdAt', 'updatedAt'])

export const NewRedirect = Type.Object(bodyOf(Redirect.properties))
export type NewRedirect = Static<typeof NewRedirect>
export const RedirectPatch = Type.Partial(NewRedirect)
export type RedirectPatch = Static<typeof RedirectPatch>

export const redirectTable = table('content_redirects', Redirect, {
  what: 'redirect',
  columns: { from: 'source', to: 'target' },
  hidden: { tenantId: Type.String() },
})
/** What a rule needs to be followed or compared. */
export const RULE_COLUMNS = ['id', 'from', 'to', 'status'] as const

export const ResolvedRedirect = named(
  'ResolvedRedirect',
  Type.Object({
    from: Type.String({ description: 'The rule that applies' }),
    to: Nullable(Type.String({ description: 'The target for this path; null for 410' })),
    status: RedirectStatus,
  }),
)
export type ResolvedRedirect = Static<typeof ResolvedRedirect>
