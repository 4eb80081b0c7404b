/** Brings the tables of collections up to date with the recipe. */

import { setTimeout as pause } from 'node:timers/promises'
import { DAY, type Deps, fingerprint, SECOND } from '@larder-dev/larder/kernel'
import { keepRemoved } from '../../domain/changes/kept.ts'
import { unchanged } from '../../domain/changes/plan-builder.ts'
import { planSchema } from '../../domain/changes/schema-changes.ts'
import type { SchemaChange, SchemaPlan, SchemaStatement } from '../../domain/changes/schema-plan.ts'
import { wantedCollections } from '../../domain/changes/wanted.ts'
import type { Collections } from '../../domain/declarations/collection.ts'
import type { CollectionLayout } from '../../domain/tables/layout.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'
import { operatorErrors } from '../../problems.ts'
import { composeTexts } from './composed-texts.ts'
import { forgetExpansion, prepareExpansion, recordComplete } from './expansions.ts'
import { type Findings, hasRows, readFindings } from './findings.ts'
import { reconcileIndexes } from './indexes.ts'
import { type NameOrder, outdatedNameOrder, rebuildNameOrder } from './name-order.ts'
import {
  dropRetired,
  forgetRetired,
  type Query,
  readState,
  recordRetired,
  type SchemaMigrator,
  writeLayouts,
} from './schema-store.ts'
import { reconcileSearchFunctions } from './search-functions.ts'
import { dropSearchTriggers, reconcileSearchTriggers } from './search-triggers.ts'
import { reconcileSequenceTriggers } from './sequence-triggers.ts'

/** How long removed collections and fields are kept. */
export const RETENTION_MS = 30 * DAY
/** A change waits no longer than this for a table: requests for the table wait behind it. */
const LOCK_TIMEOUT_MS = 3 * SECOND
const MAX_ATTEMPTS = 5
/** `lock_not_available` and `deadlock_detected`. */
const LOCK_FAILURES = new Set(['55P03', '40P01'])
const NOT_NULL_VIOLATION = '23502'
/** Found out while the change is applied: the rows that it refers to may be restored by the same recipe. */
const DANGLING =
  'required, but some rows refer to rows that were deleted while the field was removed. Restore it without `required`, and correct the rows'

const UNFILLED = 'rows were written that using gives no value. The plan lists them'

export interface PlannedSchemaChange extends SchemaChange {
  readonly findings: Findings
}
export interface ProposedSchemaChange extends PlannedSchemaChange {
  /** Whether a start leaves it to `larder recipe apply`. */
  readonly kept: boolean
}

/** Reads only. */
export async function planChanges(
  query: Query,
  collections: Collections,
  now: number,
): Promise<ProposedSchemaChange[]> {
  const state = await readState(query)
  const declared = wantedCollections(collections)
  const { changes } = planSchema(state, declared, now)
  const atStart = planSchema(state, keepRemoved(state, declared).wanted, now).changes
  const isKept = ({ change, subject, detail }: SchemaChange) =>
    !atStart.some(other => other.change === change && other.subject === subject && other.detail === detail)
  const outdated = await outdatedNameOrder(query)
  const planned = (await addFindings(query, changes)).map(change => ({ ...change, kept: isKept(change) }))
  return [...planned, ...(outdated ? [{ ...rebuilding(outdated), kept: false }] : [])]
}

const rebuilding = ({ before, now, indexes }: NameOrder): PlannedSchemaChange => ({
  ...unchanged,
  change: 'change',
  subject: 'order of names',
  detail: `rebuilds ${indexes.length === 1 ? '1 index' : `${indexes.length} indexes`}: ICU ${before} → ${now}`,
  findings: { rows: undefined, blocked: [], notes: [] },
})

type SchemaDeps = Deps<'schemaOwner' | 'operator' | 'clock' | 'log'>

/**
 * Runs under the lock of `reconcile`. First, new columns are filled in batches, then all other changes are one transaction,
 * except those of indexes. What was interrupted is continued by the next call.
 * @param mayLose whether changes that lose data are applied.
 * @param removes whether collections and fields that the recipe doesn't have are removed.
 * @throws OperatorError if rows do not fit, or if data would be lost.
 */
export async function applyChanges(
  { schemaOwner, operator, clock, log }: SchemaDeps,
  collections: Collections,
  { mayLose, removes }: { readonly mayLose: boolean; readonly removes: boolean },
): Promise<void> {
  const declared = wantedCollections(collections)
  await schemaOwner.connect(async session => {
    const { query, transaction } = session
    const state = await readState(query)
    const { wanted, subjects } = removes ? { wanted: declared, subjects: [] } : keepRemoved(state, declared)
    if (subjects.length > 0)
      log.info({ kept: subjects }, 'kept what the recipe no longer has; larder recipe apply removes it')
    const layouts = wanted.map(({ layout }) => layout)
    const plan = planSchema(state, wanted, clock.now())
    const planned = await addFindings(query, plan.changes)
    assertPossible(planned)
    if (!mayLose) assertNothingLost(planned)
    const inTransaction = (work: (migrator: SchemaMigrator) => Promise<void>) =>
      withRetries(() =>
        transaction(async migrator => {
          await migrator.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
          await work(migrator)
        }),
      )
    const now = new Date(clock.now())
    for (const { expands } of plan.changes)
      if (expands)
        await prepareExpansion(
          { session, now, log, inTransaction: work => inTransaction(({ query }) => work(query)) },
          expands,
        )
    if (plan.changes.length > 0 || byName(state.layouts) !== byName(layouts))
      await inTransaction(async migrator => {
        await dropSearchTriggers(migrator.query, new Set(plan.changes.map(({ table }) => table)))
        await applyPlan(plan, {
          query: migrator.query,
          createTable: (name, columns, shared) =>
            shared ? migrator.sharedTable(name, columns, operator.tenantId) : migrator.tenantTable(name, columns),
        })
        await writeLayouts(migrator.query, layouts)
        const left = (await readState(migrator.query)).expansions
        await reconcileSearchTriggers(migrator.query, layouts, left)
        await reconcileSequenceTriggers(migrator.query, layouts, left)
      })
    const { expansions } = await readState(query)
    await rebuildNameOrder(query)
    await composeTexts(query, layouts, { log })
    await reconcileIndexes(
      { query, inTransaction: work => inTransaction(async inside => void (await work(inside.query))) },
      layouts,
      expansions,
    )
    await reconcileSearchFunctions(session, layouts, operator.tenantId)
  })
}

/** Drops what was retired 30 days ago. */
export async function purgeRetired({
  schemaOwner,
  migrations,
  clock,
}: Deps<'schemaOwner' | 'migrations' | 'clock'>): Promise<void> {
  await migrations.exclusively('reconcile', () =>
    schemaOwner.connect(({ transaction }) =>
      transaction(async ({ query }) => {
        await query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
        await dropRetired(query, new Date(clock.now() - RETENTION_MS))
      }),
    ),
  )
}

async function addFindings(query: Query, changes: readonly SchemaChange[]): Promise<PlannedSchemaChange[]> {
  const planned: PlannedSchemaChange[] = []
  for (const change of changes) {
    const loss = change.lostRows === undefined || (await hasRows(query, change.lostRows)) ? change.loss : undefined
    planned.push({ ...change, loss, findings: await readFindings(query, change) })
  }
  return planned
}

interface Applying {
  readonly query: Query
  readonly createTable: (name: string, columns: string, shared: boolean) => Promise<void>
}

async function applyPlan({ changes, foreignKeys }: SchemaPlan, { query, createTable }: Applying): Promise<void> {
  const run = async (statement: SchemaStatement): Promise<unknown> =>
    'create' in statement
      ? createTable(quoteName(statement.create), statement.columns, statement.shared)
      : query(statement.sql)
  for (const { subject, statements, retires, restores, expands, contracts } of changes) {
    for (const statement of statements)
      await run(statement).catch((error: { readonly code?: string }) => {
        if (error.code !== NOT_NULL_VIOLATION || !(restores || expands)) throw error
        const reason = restores ? DANGLING : UNFILLED
        throw operatorErrors.collections_blocked({ changes: `  ${subject}: ${reason}` }, { cause: error })
      })
    for (const retired of retires) await recordRetired(query, retired)
    if (restores) await forgetRetired(query, restores)
    if (expands) await recordComplete(query, expands)
    if (contracts) await forgetExpansion(query, contracts)
  }
  for (const sql of foreignKeys) await query(sql)
}

/** Repeats a transaction that could not lock a table, or not without a deadlock. Nothing of it has been applied. */
async function withRetries(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      if (!LOCK_FAILURES.has(String((error as { code?: string }).code))) throw error
      if (attempt === MAX_ATTEMPTS)
        throw operatorErrors.collections_locked(
          { seconds: (MAX_ATTEMPTS * LOCK_TIMEOUT_MS) / SECOND },
          { cause: error },
        )
      await pause(LOCK_TIMEOUT_MS / 3)
    }
}

function assertPossible(planned: readonly PlannedSchemaChange[]): void {
  const lines = planned.flatMap(({ subject, findings }) => findings.blocked.map(reason => `  ${subject}: ${reason}`))
  if (lines.length > 0) throw operatorErrors.collections_blocked({ changes: lines.join('\n') })
}

function assertNothingLost(planned: readonly PlannedSchemaChange[]): void {
  const lines = planned.flatMap(({ subject, detail, loss, findings: { rows } }) =>
    loss === undefined ? [] : [`  ${subject} (${[detail, rows].filter(Boolean).join(', ')}): ${loss}`],
  )
  if (lines.length > 0) throw operatorErrors.collections_lose_data({ changes: lines.join('\n') })
}

const byName = (layouts: readonly CollectionLayout[]) =>
  fingerprint(Object.fromEntries(layouts.map(layout => [layout.name, layout])))
