/** Changes of rows as one subscriber may see them. */
import { type Database, type Deps, type Step, together } from '@larder-dev/larder/kernel'
import { type FindRows, matchesCondition } from '../domain/conditions/condition-match.ts'
import { all, notDeleted, Parameters } from '../domain/conditions/condition-sql.ts'
import { type Hop, type ResolvedCondition, resolveCondition, testsOf } from '../domain/conditions/resolved-condition.ts'
import type { Collection, Field, Row } from '../domain/declarations/collection.ts'
import type { Condition } from '../domain/declarations/condition.ts'
import { currentName, withCurrentNames, withFormer } from '../domain/declarations/former-names.ts'
import { everyField, everything, type Selection } from '../domain/queries/selection.ts'
import { type Columns, rowOf, selectionSql } from '../domain/queries/selection-sql.ts'
import { readableSql, type View } from '../domain/rights/view.ts'
import { isSame, type PublishedChange, versionsOf } from '../domain/rows/row-changes.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { visibleRow } from '../services/locked-rows.ts'
import { createPreparation } from '../services/preparation.ts'

export type RowMessage =
  | { readonly type: 'created'; readonly collection: string; readonly id: string; readonly row: Row }
  | {
      readonly type: 'updated'
      readonly collection: string
      readonly id: string
      readonly row: Row
      readonly changed: readonly string[]
    }
  | { readonly type: 'deleted'; readonly collection: string; readonly id: string }

export interface RowFeed {
  /** Undefined if the subscriber sees neither the row nor its former version. */
  messageFor(view: View, filter: Condition, change: PublishedChange): Promise<RowMessage | undefined>
}

interface Conditions {
  /** One of them must match; undefined for every row. */
  readonly rules: readonly ResolvedCondition[] | undefined
  readonly filter: ResolvedCondition
}

/** Rows that other rows refer to: name of the collection → ID → row. */
type Referenced = ReadonlyMap<string, ReadonlyMap<string, Row>>

export function createRowFeed({ database }: Deps<'database'>): RowFeed {
  const read = createSharedReads(database)

  return {
    async messageFor(view, condition, change) {
      const collection = view.collections.get(change.collection)
      if (!collection) return undefined
      const conditions = conditionsOf(view, collection, condition)
      const { before, after } = versionsOf(inCurrentNames(collection, change))
      const versions = [before, after].filter(row => row !== undefined)
      const { raw, readable } = await together({
        raw: readRows(read, view, (conditions.rules ?? []).flatMap(hopsOf), versions, rawRows),
        readable: readRows(
          read,
          view,
          [...hopsOf(conditions.filter), ...hidingReferences(view, collection).map(hop => [hop])],
          versions,
          readableRows,
        ),
      })
      const shown = (row: Row | undefined): Row | undefined => {
        if (!row || !matchesRules(conditions, row, raw)) return undefined
        const masked = withoutHidden(view, collection, row, readable)
        return matchesCondition(conditions.filter, masked, findIn(readable)) ? masked : undefined
      }
      return messageOf(view, collection, change, shown(before), shown(after))
    },
  }
}

/** Throws a ConditionError if the filter names a field that doesn't exist or that the subscriber may not read. */
export function conditionsOf(view: View, collection: Collection, filter: Condition): Conditions {
  const rules = view.conditions(collection, 'read')
  return {
    rules: rules === 'all' ? undefined : rules,
    filter: resolveCondition(view, collection, filter, view.subjectFor(collection)),
  }
}

/** A process of the earlier recipe publishes the former names alone. */
const inCurrentNames = (collection: Collection, change: PublishedChange): PublishedChange => ({
  ...change,
  row: withCurrentNames(collection, change.row),
  ...(change.before && { before: withCurrentNames(collection, change.before) }),
})

function messageOf(
  view: View,
  collection: Collection,
  { id, changed = [] }: PublishedChange,
  before: Row | undefined,
  after: Row | undefined,
): RowMessage | undefined {
  const head = { collection: collection.name, id }
  if (!after) return before && { type: 'deleted', ...head }
  const row = visibleRow(view, collection, after)
  if (!before) return { type: 'created', ...head, row }
  // A reference that was hidden before and after the change has the value null in both.
  const isVisible = (name: string) => Object.hasOwn(row, name) && !isSame(before[name], after[name])
  const names = new Set(changed.map(name => currentName(collection, name)))
  return { type: 'updated', ...head, row, changed: withFormer(collection, [...names].filter(isVisible)) }
}

const matchesRules = ({ rules }: Conditions, row: Row, referenced: Referenced): boolean =>
  rules === undefined || rules.some(rule => matchesCondition(rule, row, findIn(referenced)))

const findIn =
  (referenced: Referenced): FindRows =>
  ({ collection }, ids) =>
    ids.flatMap(id => referenced.get(collection.name)?.get(id) ?? [])

/** The references that each test follows, in order. */
const hopsOf = (condition: ResolvedCondition): (readonly Hop[])[] => testsOf(condition).map(({ path }) => path.hops)

/** References that may lead to rows that the subscriber can't read. */
const hidingReferences = (view: View, collection: Collection): Hop[] =>
  [...collection.fields.values()].flatMap(field => {
    const target = field.reference && view.allows(collection, field) && view.collections.get(field.reference.to)
    return target && view.hides(target) ? { field, collection: target } : []
  })

/** References to rows that the subscriber can't read are null, or missing in a list. */
function withoutHidden(view: View, collection: Collection, row: Row, readable: Referenced): Row {
  const masked: Record<string, unknown> = { ...row }
  for (const { field, collection: target } of hidingReferences(view, collection)) {
    const known = idsOf(row, field).filter(id => readable.get(target.name)?.has(id))
    masked[field.name] = field.reference?.many ? known : (known[0] ?? null)
  }
  return masked as unknown as Row
}

function idsOf(row: Row, { name }: Field): string[] {
  const value = row[name] ?? []
  return (Array.isArray(value) ? value : [value]) as string[]
}

type RowQuery = (view: View, collection: Collection, ids: readonly string[]) => { selection: Selection; step: Step }

/** Rules follow references whether or not the subscriber may read the rows. */
const rawRows: RowQuery = (view, collection, ids) => {
  const context = view.rawContext(new Parameters())
  const selection = everyField(collection)
  const where = all([
    `r.tenant_id = ${context.parameters.add(view.ownerOf(collection))}`,
    `r.id = any (${context.parameters.add(ids)})`,
    notDeleted(collection, 'r'),
  ])
  const text = `select ${selectionSql(context, selection, 'r')} from ${quoteName(collection.table)} r where ${where}`
  return { selection, step: [text, context.parameters.values] }
}

const readableRows: RowQuery = (view, collection, ids) => {
  const context = view.sqlContext(new Parameters())
  const selection = everything(view, collection)
  const columns = selectionSql(context, selection, 'r')
  const where = all([`r.id = any (${context.parameters.add(ids)})`, readableSql(view, context, collection, 'r')])
  return {
    selection,
    step: [`select ${columns} from ${quoteName(collection.table)} r where ${where}`, context.parameters.values],
  }
}

/** The rows that these references of the versions of a row lead to, and those that the references of these lead to. */
async function readRows(
  read: SharedReads,
  view: View,
  paths: readonly (readonly Hop[])[],
  versions: readonly Row[],
  queryOf: RowQuery,
): Promise<Referenced> {
  const found = new Map<string, Map<string, Row>>()
  const depth = Math.max(0, ...paths.map(({ length }) => length))
  for (let at = 0; at < depth; at++) {
    const wanted = new Map<Collection, Set<string>>()
    for (const hops of paths) {
      const [hop, before] = [hops[at], hops[at - 1]]
      if (!hop) continue
      const from = before ? [...(found.get(before.collection.name)?.values() ?? [])] : versions
      for (const id of from.flatMap(row => idsOf(row, hop.field)))
        wanted.set(hop.collection, (wanted.get(hop.collection) ?? new Set()).add(id))
    }
    const queries = [...wanted].map(([collection, ids]) => ({ collection, ...queryOf(view, collection, [...ids]) }))
    const results = await Promise.all(queries.map(({ step }) => read(view.tenantId, step)))
    for (const [index, { collection, selection }] of queries.entries()) {
      const known = found.get(collection.name) ?? new Map<string, Row>()
      for (const columns of results[index] ?? []) {
        const row = rowOf(selection, columns) as Row
        known.set(row.id, row)
      }
      found.set(collection.name, known)
    }
  }
  return found
}

type SharedReads = (tenantId: string, step: Step) => Promise<readonly Columns[]>

/** Statements of the same turn and tenant share a round trip, and equal ones their rows. */
function createSharedReads(database: Database): SharedReads {
  const prepare = createPreparation()
  const turns = new Map<string, ReturnType<typeof begin>>()

  /** Begins a round trip. Further statements of the turn join it. */
  function begin(tenantId: string) {
    const steps = new Map<string, Step>()
    async function run(): Promise<ReadonlyMap<string, readonly Columns[]>> {
      turns.delete(tenantId)
      const batch = [...steps.values()].map(([text, values = []]) => prepare(text, values))
      const results = await database.tenant(tenantId).all(batch)
      return new Map([...steps.keys()].map((key, at) => [key, (results[at]?.rows ?? []) as Columns[]]))
    }
    const turn = { steps, rows: Promise.resolve().then(run) }
    turns.set(tenantId, turn)
    return turn
  }

  return async (tenantId, step) => {
    const { steps, rows } = turns.get(tenantId) ?? begin(tenantId)
    const key = JSON.stringify(step)
    steps.set(key, step)
    return (await rows).get(key) ?? []
  }
}
