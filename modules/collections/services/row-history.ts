/** Lists the former versions of a row, as far as the caller can read them, and restores one. */
import type { IncomingHttpHeaders } from 'node:http'
import {
  common,
  type Deps,
  decodeCursor,
  encodeCursor,
  type FieldError,
  fieldError,
  invalidFields,
  pageLimit,
  type Step,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { matchesCondition } from '../domain/conditions/condition-match.ts'
import { all, conditionSql, Parameters } from '../domain/conditions/condition-sql.ts'
import { type Part, type Test, testsOf } from '../domain/conditions/resolved-condition.ts'
import type { Collection, Field, Row } from '../domain/declarations/collection.ts'
import { formerNames } from '../domain/declarations/former-names.ts'
import { historyTableName } from '../domain/declarations/naming.ts'
import { everyField } from '../domain/queries/selection.ts'
import { type Columns, rowOf, selectionSql } from '../domain/queries/selection-sql.ts'
import { readableSql, type View } from '../domain/rights/view.ts'
import { changedFields, pointerOf, type Values } from '../domain/rows/row-values.ts'
import { quoteName } from '../domain/tables/sql-literals.ts'
import { lockRow, visibleRow } from './locked-rows.ts'
import { readableReferences } from './reference-checks.ts'
import type { RowChanger } from './row-changer.ts'
import type { RowPage } from './row-reader.ts'
import { assertMay, assertMayRead, isOwnCondition, writeConditions } from './write-access.ts'

export interface RowVersion {
  readonly revision: number
  /** When the next revision replaced this one, and the user who changed it; null for seeds and jobs. */
  readonly changedAt: string
  readonly changedBy: string | null
  /** The values that the change replaced and their new ones. */
  readonly changes: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
  readonly row: Values
}

export interface RowHistory {
  /** The newest version first. Throws `forbidden` for those who read only what is open to everybody. */
  list(
    view: View,
    collection: Collection,
    row: { readonly id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<RowPage>
  /** Sets the fields that the caller can read and change. References to rows that are gone become empty. */
  restore(
    view: View,
    collection: Collection,
    version: { readonly id: string; readonly revision: string; readonly headers: IncomingHttpHeaders },
  ): Promise<Row>
}

interface StoredVersion {
  readonly revision: number
  readonly changedAt: Date
  readonly changedBy: string | null
  readonly row: Row
}
/** The current row, and the versions of one page with the one that replaced the first of them. */
interface Found {
  readonly current: Row
  readonly versions: readonly StoredVersion[]
  canRead(row: Row): boolean
}
interface Range {
  readonly id: string
  /** The newest revision. */
  readonly upTo?: number
  readonly limit: number
}

const MAX_REVISION = 2_147_483_647
const isRevision = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_REVISION

const followsReference = (part: Part): boolean => testsOf([part]).some(({ path }) => path.hops.length > 0)
/** The field of the row itself with which a path begins. */
const firstName = ({ path: { field, hops } }: Test): string =>
  hops[0]?.field.name ?? (field.kind === 'system' ? field.name : field.field.name)

type HistoryDeps = Deps<'database'> & { readonly changer: RowChanger }

export function createRowHistory({ database, changer }: HistoryDeps): RowHistory {
  /**
   * Throws `not_found` for a row that the caller can't read. What is open to everybody has no history: a version can be
   * older than the publication of its row.
   */
  async function find(unit: Pick<Unit, 'all'>, reader: View, collection: Collection, range: Range): Promise<Found> {
    const view = reader.onlyGranted()
    const conditions = writeConditions(view, collection, 'read')
    const context = view.rawContext(new Parameters())
    const { parameters } = context
    const columns = [
      selectionSql(context, everyField(collection), 'r'),
      ...(conditions ?? []).map(
        (condition, at) => `coalesce(${conditionSql(context, collection, condition, 'r')}, false) as "$matches${at}"`,
      ),
    ]
    const where = all([`r.id = ${parameters.add(range.id)}`, readableSql(view, context, collection, 'r')])
    const text = `select ${columns.join(', ')} from ${quoteName(collection.table)} r where ${where}`
    const { rows, versions } = await unit.all({
      rows: [text, parameters.values],
      versions: versionsStep(view, collection, range),
    })
    const found = rows.rows[0] as Columns | undefined
    if (!found) throw common.not_found({ what: 'row' })
    const current = rowOf(everyField(collection), found) as Row
    return {
      current,
      versions: versions.rows as unknown as StoredVersion[],
      // A rule that follows a reference applies to a version only if the version has the same reference, and the same
      // values beside it in an `or` or a `not`.
      canRead: row =>
        conditions?.some((condition, at) => {
          const own = condition.filter(part => !followsReference(part))
          const names = condition.filter(followsReference).flatMap(part => testsOf([part]).map(firstName))
          const isSame = names.every(name => changedFields(current, { [name]: row[name] }).length === 0)
          return (
            (isOwnCondition(condition) || (isSame && found[`$matches${at}`] === true)) &&
            matchesCondition(own, row, () => [])
          )
        }) ?? true,
    }
  }

  return {
    async list(view, collection, { id, cursor, ...query }) {
      assertMayRead(view.onlyGranted(), collection)
      const limit = pageLimit(query)
      const [upTo] = decodeCursor(cursor, 1) ?? []
      if (upTo !== undefined && !isRevision(upTo)) throw common.invalid_cursor()
      const unit = database.tenant(view.tenantId)
      const range = { id, limit: limit + 2, ...(upTo !== undefined && { upTo }) }
      const { current, versions, canRead } = await find(unit, view, collection, range)
      // The version of the cursor was the last one of the previous page.
      const newer = upTo === undefined ? [current] : versions.slice(0, 1).map(({ row }) => row)
      const older = upTo === undefined ? versions : versions.slice(1)
      const page = older.slice(0, limit)
      const rows = [...newer, ...page.map(({ row }) => row)]
      const isReadable = await readableReferences(unit, view, collection, rows)
      const shown = (row: Row) => visibleRow(view, collection, readableValues(collection, row, isReadable) as Row)
      const data = page.flatMap(({ revision, changedAt, changedBy, row }, at): RowVersion[] => {
        const next = rows[at] as Row
        if (!canRead(row)) return []
        const changes = canRead(next) ? changesOf(collection, shown(row), shown(next)) : {}
        return [{ revision, changedAt: changedAt.toISOString(), changedBy, changes, row: shown(row) }]
      })
      const last = page.at(-1)
      const hasMore = older.length > limit && last
      return { data: data as unknown as RowPage['data'], nextCursor: hasMore ? encodeCursor([last.revision]) : null }
    },

    async restore(view, collection, { id, revision, headers }) {
      assertMay(view, collection, 'update')
      return database.tenant(view.tenantId).transaction(async unit => {
        const upTo = Number(revision)
        const {
          locked,
          history: { current, versions, canRead },
        } = await together({
          locked: lockRow(unit, view, collection, { id, action: 'update', pointer: '' }),
          history: find(unit, view, collection, { id, upTo: isRevision(upTo) ? upTo : 0, limit: 1 }),
        })
        const [version] = versions
        if (version?.revision !== upTo || !canRead(version.row)) throw common.not_found({ what: 'version' })
        const isReadable = await readableReferences(unit, view, collection, [version.row])
        const values = readableValues(collection, version.row, isReadable)
        const restored = changedFields(current, version.row).filter(name => {
          const field = collection.fields.get(name)
          const isWritten = field !== undefined && field.type !== 'computed' && !field.writeOnce && !field.onUpdate
          return isWritten && view.allows(collection, field) && view.mayWrite(collection, field)
        })
        const lost = restored.filter(name => isLostReference(collection.fields.get(name), values[name]))
        if (lost.length > 0) throw invalidFields(lost.map(lostReference))
        const given = Object.fromEntries(restored.map(name => [name, values[name]]))
        return changer.update(view, collection, { id, given, headers, pointer: '', locked, isFormer: true })
      })
    },
  }
}

function versionsStep(view: View, collection: Collection, { id, upTo = MAX_REVISION, limit }: Range): Step {
  const text = `select revision, changed_at as "changedAt", changed_by as "changedBy", row
    from ${quoteName(historyTableName(collection.name))}
    where tenant_id = $1 and row_id = $2 and revision <= $3 order by revision desc limit $4`
  return [text, [view.ownerOf(collection), id, upTo, limit]]
}

/** A row without the references that lead to no row that the caller can read. */
function readableValues(
  { fields }: Collection,
  row: Row,
  isReadable: (name: string, id: unknown) => boolean,
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...row }
  for (const { name, reference } of fields.values()) {
    if (!reference) continue
    const value = row[name] ?? null
    if (reference.many) values[name] = Array.isArray(value) ? value.filter(id => isReadable(name, id)) : []
    else values[name] = isReadable(name, value) ? value : null
  }
  return values
}

const isLostReference = (field: Field | undefined, value: unknown): boolean =>
  field?.required === true &&
  field.reference !== undefined &&
  (Array.isArray(value) ? value.length === 0 : value === null)

const lostReference = (name: string): FieldError =>
  fieldError(pointerOf('', name), 'not_found', wording('is required, and refers to a row that is gone in this version'))

function changesOf(collection: Collection, before: Row, after: Row): RowVersion['changes'] {
  const names = changedFields(before, after).filter(
    name => collection.fields.has(name) || formerNames(collection).has(name),
  )
  return Object.fromEntries(
    names.map(name => [name, { before: before[name] ?? null, after: after[name] ?? null }] as const),
  )
}
