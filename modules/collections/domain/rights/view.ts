/** The collections as one caller sees them: the tenant, the rows and the fields. Pure. */
import type { Caller } from '@larder-dev/larder/kernel'
import {
  all,
  any,
  conditionSql,
  createSqlContext,
  notDeleted,
  type Parameters,
  type SqlContext,
} from '../conditions/condition-sql.ts'
import { openOnes, type ResolvedCondition, resolveCondition } from '../conditions/resolved-condition.ts'
import {
  type Action,
  type Collection,
  type Collections,
  type Field,
  isOpen,
  SYSTEM_FIELDS,
  type SystemField,
} from '../declarations/collection.ts'
import type { Subject } from '../declarations/condition.ts'
import { type AccessRules, OWNER, type RowAccess, UNLIMITED } from './access.ts'

export interface View {
  readonly collections: Collections
  readonly caller: Caller | undefined
  /** Whether people who are not signed in act, and not code. */
  readonly isGuest: boolean
  /** Who changes rows, for the history: the ID of the caller's user, or the name of what acts without one. */
  readonly changedBy: string | null
  /** Whose plan limits the rows that the caller creates: a customer's own, or that of the workspace. */
  readonly planHolder: string | { readonly tenantId: string; readonly memberId: string; readonly userId: string }
  /** The tenant of the request. */
  readonly tenantId: string
  /** The tenant that owns the rows of a collection. */
  ownerOf(collection: Collection): string
  rows(collection: Collection, action: Action): RowAccess
  /** Those of them that a role, a permission or a membership opens. */
  granted(collection: Collection, action: Action): RowAccess
  /** The same view without the rows that only `anyone` or `signedIn` opens. */
  onlyGranted(): View
  /** Whether the caller may read a field. */
  allows(collection: Collection, field: Field | SystemField): boolean
  mayWrite(collection: Collection, field: Field): boolean
  /** Whether the caller owns the workspace that the rows belong to. */
  isOwner(collection: Collection): boolean
  /** `rows` with their variables replaced: one of the conditions must match, if any does. */
  conditions(collection: Collection, action: Action): 'all' | readonly ResolvedCondition[]
  /** The values of the variables in conditions on the rows of a collection. */
  subjectFor(collection: Collection): Subject
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
  /** Who acts without a caller. */
  readonly actor?: string | undefined
  /** The values of variables that were read for this request. Those that weren't are unknown. */
  readonly facts?: Subject
}

/** A class, because each request creates one and uses few of its methods. */
class CallerView implements View {
  readonly collections: Collections
  readonly caller: Caller | undefined
  readonly tenantId: string
  readonly #options: ViewOptions
  readonly #rules: AccessRules
  readonly #operatorTenantId: string
  readonly #now: number

  constructor(options: ViewOptions) {
    this.collections = options.collections
    this.caller = options.caller
    this.tenantId = options.tenantId
    this.#options = options
    this.#rules = options.rules
    this.#operatorTenantId = options.operatorTenantId
    this.#now = options.now
  }

  subjectFor(collection: Collection): Subject {
    const { caller } = this
    return {
      ...this.#options.facts,
      $member: caller?.memberId || undefined,
      $user: caller?.userId,
      $tenant: this.tenantId,
      $now: new Date(this.#now).toISOString(),
      // Owners of any other workspace can give themselves every role there.
      $role: caller?.tenantId === this.ownerOf(collection) ? caller.roles : undefined,
    }
  }

  get planHolder(): View['planHolder'] {
    const { tenantId, caller } = this
    if (!caller?.isCustomer || !caller.memberId) return tenantId
    return { tenantId, memberId: caller.memberId, userId: caller.userId }
  }

  get isGuest(): boolean {
    return this.caller === undefined && this.#rules !== UNLIMITED
  }

  get changedBy(): string | null {
    return this.caller?.userId ?? this.#options.actor ?? null
  }

  ownerOf({ scope }: Collection): string {
    return scope === 'shared' ? this.#operatorTenantId : this.tenantId
  }

  rows(collection: Collection, action: Action): RowAccess {
    return this.#rules.rows(collection, action, this.caller, this.ownerOf(collection))
  }

  granted(collection: Collection, action: Action): RowAccess {
    return this.#rules.granted(collection, action, this.caller, this.ownerOf(collection))
  }

  onlyGranted(): View {
    const rules = this.#rules
    return new CallerView({ ...this.#options, rules: { ...rules, rows: rules.granted } })
  }

  allows(collection: Collection, field: Field | SystemField): boolean {
    if (typeof field !== 'string') return this.#rules.mayRead(collection, field, this.caller, this.ownerOf(collection))
    // Those who read only what is open to everybody don't learn who created it.
    return field !== 'createdBy' || !isOpen(collection) || this.granted(collection, 'read').length > 0
  }

  mayWrite(collection: Collection, field: Field): boolean {
    return this.#rules.mayWrite(collection, field, this.caller, this.ownerOf(collection))
  }

  isOwner(collection: Collection): boolean {
    const { caller } = this
    return caller !== undefined && caller.tenantId === this.ownerOf(collection) && caller.roles.includes(OWNER)
  }

  rawContext(parameters?: Parameters): SqlContext {
    return createSqlContext(this.#operatorTenantId, parameters && { parameters })
  }

  sqlContext(parameters?: Parameters): SqlContext {
    const context = this.rawContext(parameters)
    return {
      ...context,
      visible: (collection, alias) => this.rowsSql(context, collection, 'read', alias),
      hides: name => {
        const target = this.collections.get(name)
        return target && this.hides(target) ? target : undefined
      },
    }
  }

  rowsSql({ visible: _, hides: __, ...context }: SqlContext, collection: Collection, action: Action, alias: string) {
    const conditions = this.conditions(collection, action)
    if (conditions === 'all') return 'true'
    return any(conditions.map(condition => conditionSql(context, collection, condition, alias)))
  }

  conditions(collection: Collection, action: Action): 'all' | readonly ResolvedCondition[] {
    const access = this.rows(collection, action)
    if (access === 'all') return 'all'
    const { collections } = this
    const subject = this.subjectFor(collection)
    // Rules follow references whether or not the caller may read the rows.
    return openOnes(access.map(condition => resolveCondition({ collections }, collection, condition, subject)))
  }

  hides(collection: Collection): boolean {
    return collection.trashMs > 0 || this.rows(collection, 'read') !== 'all'
  }
}

export const createView = (options: ViewOptions): View => new CallerView(options)

/**
 * All that decides which rows and fields of these collections a view shows, besides its tenant and the values of
 * variables such as `$user` and `$plan`. A cache of what a view shows has it in its key.
 */
export const rightsText = (view: View, collections: readonly Collection[]): string =>
  JSON.stringify(
    collections.map(collection => [
      collection.name,
      view.rows(collection, 'read'),
      [...SYSTEM_FIELDS, ...collection.fields.values()]
        .filter(field => view.allows(collection, field))
        .map(field => (typeof field === 'string' ? field : field.name)),
    ]),
  )

/** The rows of a collection that the caller may read, as SQL, for a table with this alias. */
export const readableSql = (view: View, context: SqlContext, collection: Collection, alias: string): string =>
  all([
    `${alias}.tenant_id = ${context.parameters.add(view.ownerOf(collection))}`,
    notDeleted(collection, alias),
    view.rowsSql(context, collection, 'read', alias),
  ])
