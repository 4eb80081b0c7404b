/** What callers may read and write, and rows as they may read them. */
import type { Caller, Deps } from '@larder-dev/larder/kernel'
import type { Collection, Collections, Field, Row } from '../domain/declarations/collection.ts'
import type { Condition, Subject } from '../domain/declarations/condition.ts'
import { withFormerNames } from '../domain/declarations/former-names.ts'
import { referenceFields } from '../domain/fields/field-lists.ts'
import type { ListedRow } from '../domain/queries/list-query.ts'
import { createAccessRules, permissionOf, UNLIMITED } from '../domain/rights/access.ts'
import { type View, createView as viewOf } from '../domain/rights/view.ts'
import { isEmpty } from '../domain/rows/row-values.ts'
import type { CallerFacts } from './caller-facts.ts'
import { visibleRow } from './locked-rows.ts'
import type { RowReader } from './row-reader.ts'

type ViewDeps = Deps<'access' | 'clock' | 'operator'> & { readonly collectionMap: Collections }
/**
 * What a caller sees of a collection, and of those that its references lead to, now.
 * @param filter names variables in addition to those of the rules.
 */
export type ViewOf = (
  caller: Caller | undefined,
  tenantId: string,
  collection: Collection,
  filter?: Condition,
) => Promise<View>
/** The same without what rules ask about the caller beside the request: rows that this opens are missing. */
export type BareViewOf = (caller: Caller | undefined, tenantId: string, facts?: Subject) => View

export function createBareView({ access, clock, operator, collectionMap: collections }: ViewDeps): BareViewOf {
  const rules = createAccessRules(access, permissionOf)
  return (caller, tenantId, facts = {}) =>
    viewOf({ collections, rules, operatorTenantId: operator.tenantId, caller, tenantId, facts, now: clock.now() })
}

export const createView =
  ({ bareView, callerFacts }: { readonly bareView: BareViewOf; readonly callerFacts: CallerFacts }): ViewOf =>
  async (caller, tenantId, collection, filter = {}) =>
    bareView(caller, tenantId, await callerFacts(caller, collection, filter))

/** Every row and field of a workspace, for code. */
export const createSystemView =
  ({ clock, operator, collectionMap: collections }: Omit<ViewDeps, 'access'>) =>
  (tenantId: string, actor?: string): View =>
    viewOf({
      collections,
      rules: UNLIMITED,
      operatorTenantId: operator.tenantId,
      caller: undefined,
      actor,
      tenantId,
      now: clock.now(),
    })

export type ShownRows = readonly (ListedRow | null)[]
export type Shown = ReturnType<typeof createShown>

/**
 * Rows that were just written, as the caller may read them. Returns at once unless they refer to rows that may be hidden,
 * which are then read again.
 */
export const createShown =
  ({ reader }: { readonly reader: RowReader }) =>
  (view: View, collection: Collection, rows: readonly (Row | null)[]): ShownRows | Promise<ShownRows> => {
    const hiding = hidingFields(view, collection)
    return hiding.length > 0
      ? readAgain(reader, view, collection, rows, hiding)
      : rows.map(row => row && visibleRow(view, collection, row))
  }

/** References to rows that may be hidden from the caller. */
const hidingFields = (view: View, collection: Collection): readonly Field[] =>
  referenceFields(collection).filter(field => {
    const target = field.reference && view.collections.get(field.reference.to)
    return target !== undefined && view.hides(target) && view.allows(collection, field)
  })

async function readAgain(
  reader: RowReader,
  view: View,
  collection: Collection,
  rows: readonly (Row | null)[],
  hiding: readonly Field[],
): Promise<ShownRows> {
  const unknown = Object.fromEntries(hiding.map(({ name, reference }) => [name, reference?.many ? [] : null]))
  const refers = (row: Row) => hiding.some(({ name }) => !isEmpty(row[name] ?? null))
  const ids = rows.flatMap(row => (row && refers(row) ? row.id : []))
  const found = ids.length > 0 ? await reader.find(view, collection, ids).catch(() => undefined) : undefined
  // A change can put a row out of the caller's own reach. Then its references can't be checked.
  return rows.map(
    row =>
      row && (found?.get(row.id) ?? { ...visibleRow(view, collection, row), ...withFormerNames(collection, unknown) }),
  )
}
