/** The tenant of a request, and the form of its reply. */
import { type Caller, common, type Deps, type Reply, type RequestFacts, reply } from '@larder-dev/larder/kernel'
import type { Collection, Row } from '../domain/declarations/collection.ts'
import { stateFields } from '../domain/fields/field-lists.ts'
import { MEMBER, permissionOf } from '../domain/rights/access.ts'
import type { View } from '../domain/rights/view.ts'
import { problems } from '../problems.ts'
import { rowTag } from '../services/revision-match.ts'
import type { Shown, ShownRows } from '../services/views.ts'

export const WRITE_PROBLEMS = [
  'entitlement_exceeded',
  problems.value_taken,
  problems.period_taken,
  problems.capacity_reached,
  problems.row_action_forbidden,
  problems.field_forbidden,
]
/** A route that can change a row can refuse its state. */
export const upsertProblems = (collection: Collection) => [
  ...WRITE_PROBLEMS,
  ...(stateFields(collection).length > 0 ? [problems.transition_refused] : []),
]
export const changeProblems = (collection: Collection) => [...upsertProblems(collection), common.precondition_failed]

export const JSON_TYPE = 'application/json; charset=utf-8'

interface ReplyOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Replies with a row as its writer may read it. */
export function replyWithRow(
  { shown }: { readonly shown: Shown },
  view: View,
  collection: Collection,
  row: Row,
  { status = 200, headers = {} }: ReplyOptions = {},
): Reply | Promise<Reply> {
  const toReply = ([visible]: ShownRows) => {
    const body = JSON.stringify(visible)
    return reply(status, body, { 'content-type': JSON_TYPE, etag: rowTag(row.revision, body), ...headers })
  }
  const visible = shown(view, collection, [row])
  return visible instanceof Promise ? visible.then(toReply) : toReply(visible)
}

/** Who may call the routes that read, beside people who are not signed in. The handler asks for the rows. */
export function readers(collection: Collection): [string] | [string, 'user'] {
  const permission = permissionOf(collection, 'read')
  const { scope, access } = collection
  const isOpenToPeople =
    access.signedIn !== undefined ||
    (scope === 'shared' && (access.anyone !== undefined || access.actions.read[MEMBER] !== undefined))
  return isOpenToPeople ? [permission, 'user'] : [permission]
}

interface Request {
  readonly query: Readonly<Record<string, unknown>> | undefined
  readonly request: RequestFacts
}
export interface ReadRequest extends Request {
  readonly caller: Caller | undefined
  readonly tenantId: string | undefined
}

const TENANT_ID = /^ten_[0-9a-z]{26}$/
/** Characters. */
const MAX_SLUG_LENGTH = 128

/** The tenant of a request without one. It reads the operator's workspace, or the one that it names by its ID or slug. */
export async function publicTenant(
  { query, request }: Request,
  deps: Deps<'operator', 'tenantDirectory'>,
): Promise<string> {
  const { operator, tenantDirectory } = deps
  const named = request.headers['x-tenant-id'] ?? query?.workspace
  if (named === undefined || named === '') return operator.tenantId
  if (typeof named === 'string' && TENANT_ID.test(named)) return named
  const isSlug = typeof named === 'string' && named.length <= MAX_SLUG_LENGTH
  const found = isSlug ? await tenantDirectory?.find(named) : undefined
  if (!found) throw common.not_found({ what: 'workspace' })
  return found.id
}

export type ListFormat = 'json' | 'csv' | 'ndjson'
const TYPES: readonly (readonly [ListFormat, RegExp])[] = [
  ['csv', /^\s*text\/csv\s*(;|$)/i],
  ['ndjson', /^\s*application\/x-ndjson\s*(;|$)/i],
]

/** JSON, unless the header names another type. */
export function formatOf({ headers }: RequestFacts): ListFormat {
  const ranges = (headers.accept ?? '').split(',').filter(range => !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range))
  return TYPES.find(([, pattern]) => ranges.some(range => pattern.test(range)))?.[0] ?? 'json'
}
