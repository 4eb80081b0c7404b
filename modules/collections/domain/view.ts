/** The collections as one caller sees them: the tenant, the rows and the fields. Pure. */
import type { Caller } from 'larder/kernel'
import type { AccessRules, RowAccess } from './access.ts'
import type { Action, Collection, Collections, Field } from './collection.ts'
import type { Subject } from './condition.ts'
import {
  all,
  any,
  conditionSql,
  createSqlContext,
  notDeleted,
  type Parameters,
  type SqlContext,
} from './condition-sql.ts'
import { resolveCondition } from './resolved-condition.ts'

export interface View {
  readonly collections: Collections
  readonly caller: Caller | undefined
  /** The tenant of the request. */
  readonly tenantId: string
  /** The tenant that owns the rows of a collection. */
  ownerOf(collection: Collection): string
  rows(collection: Collection, action: Action): RowAccess
  allows(collection: Collection, field: Field): boolean
  mayWrite(field: Field): boolean
  readonly subject: Subject
  /** A context for queries of the caller: rows that they can't read count as missing. */
  sqlContext(parameters?: Parameters): SqlContext
  /** A context that follows references whether or not the caller may read the rows. */
  rawContext(parameters?: Parameters): SqlContext
  /** The rows of a collection that an action is open to, as SQL. */
  rowsSql(context: SqlContext, collection: Collection, action: Action, alias: string): string
  /** Whether rows of a collection may be missing for the caller although other rows refer to them. */
  hides(collection: Collection): boolean
}

export interface ViewOptions {
  readonly collections: Collections
  readonly rules: AccessRules
  readonly operatorTenantId: string
  readonly caller: Caller | undefined
  readonly tenantId: string
  readonly now: number
}

export function createView({ collections, rules, operatorTenantId, caller, tenantId, now }: ViewOptions): View {
  const subject: Subject = {
    $member: caller?.memberId || undefined,
    $user: caller?.userId,
    $tenant: tenantId,
    $now: new Date(now).toISOString(),
  }
  const view: View = {
    collections,
    caller,
    tenantId,
    subject,
    ownerOf: ({ scope }) => (scope === 'shared' ? operatorTenantId : tenantId),
    rows: (collection, action) => rules.rows(collection, action, caller),
    allows: (_collection, field) => rules.mayRead(field, caller),
    mayWrite: field => rules.mayWrite(field, caller),
    rawContext: parameters => createSqlContext(operatorTenantId, parameters && { parameters }),
    sqlContext(parameters) {
      const context = view.rawContext(parameters)
      return {
        ...context,
        visible: (collection, alias) => view.rowsSql(context, collection, 'read', alias),
        hides: name => {
          const target = collections.get(name)
          return target && view.hides(target) ? target : undefined
        },
      }
    },
    rowsSql({ visible: _, hides: __, ...context }, collection, action, alias) {
      const access = view.rows(collection, action)
      if (access === 'all') return 'true'
      // Rules follow references whether or not the caller may read the rows.
      return any(
        access.map(condition =>
          conditionSql(context, collection, resolveCondition({ collections }, collection, condition, subject), alias),
        ),
      )
    },
    hides: collection => collection.trashMs > 0 || view.rows(collection, 'read') !== 'all',
  }
  return view
}

/** The rows of a collection that the caller may read, as SQL, for a table with this alias. */
export const readableSql = (view: View, context: SqlContext, collection: Collection, alias: string): string =>
  all([
    `${alias}.tenant_id = ${context.parameters.add(view.ownerOf(collection))}`,
    notDeleted(collection, alias),
    view.rowsSql(context, collection, 'read', alias),
  ])
