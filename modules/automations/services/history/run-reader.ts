/** Runs for people: all of them for operators, those of a row for who may read the row. */
import {
  type Caller,
  type Condition,
  common,
  type Deps,
  type PageOf,
  Problem,
  type Unit,
} from '@larder-dev/larder/kernel'
import { shownStepState } from '../../domain/run-states.ts'
import { createShownSteps, HIDDEN, type HiddenFields, shownTrigger, withoutDetail } from '../../domain/values/shown.ts'
import { type RunDetails, type RunRecord, runTable, type StepRecord, stepTable } from '../../records/run.ts'
import type { Definitions } from '../definitions.ts'
import type { RowKinds } from '../row-kinds.ts'
import type { StepTitles } from './step-titles.ts'

export interface Viewer {
  readonly caller: Caller
  readonly tenantId: string | undefined
  /** Whether the viewer may see the runs of every workspace. */
  readonly isOperator: boolean
}
export interface RunQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly automation?: string
  readonly state?: RunRecord['state']
  readonly rowId?: string
  readonly tenantId?: string
}

export interface RunReader {
  /** Newest first. Those who are no operators name a row; without the right to read it, the list is empty. */
  list(viewer: Viewer, query: RunQuery): Promise<PageOf<RunRecord>>
  /** Throws `not_found`, also for a run of a row that the viewer may not read. */
  get(viewer: Viewer, id: string, locale: string): Promise<RunDetails>
  /** The workspace of a run, for operators. Throws `not_found`. */
  tenantOf(id: string): Promise<string>
}

const REASON = 'operators see the runs of every workspace'
const EVERYTHING: HiddenFields = new Set()

type ReaderDeps = Deps<'database' | 'systemDatabase', 'collections'> & {
  readonly definitions: Definitions
  readonly rowKinds: RowKinds
  readonly stepTitles: StepTitles
}

export function createRunReader({
  database,
  systemDatabase,
  collections,
  definitions,
  rowKinds,
  stepTitles,
}: ReaderDeps): RunReader {
  const everywhere = () => systemDatabase.acrossTenants(REASON)
  const unitOf = ({ isOperator, tenantId }: Viewer): Unit => {
    if (isOperator) return everywhere()
    if (tenantId === undefined) throw common.tenant_required()
    return database.tenant(tenantId)
  }

  /** The row as the viewer may read it; undefined without the right to. */
  async function readable(caller: Caller, { tenantId, collection, rowId }: RowOfRun): Promise<object | undefined> {
    if (!collections || collection === null || rowId === null || !rowKinds.all.has(collection)) return undefined
    try {
      return await collections.rows(collection, { tenantId, caller }).get(rowId)
    } catch (error) {
      if (Problem.is(error) && error.status < 500) return undefined
      throw error
    }
  }

  /**
   * The fields of the row that the viewer may not read. Undefined if they aren't known any more: nothing is shown then.
   * @param row as the viewer may read it.
   */
  function hiddenOf({ collection }: RowOfRun, row: object | undefined): HiddenFields | undefined {
    if (collection === null) return EVERYTHING
    const kind = rowKinds.all.get(collection)
    if (!kind) return undefined
    const properties = Object.keys((Reflect.get(kind.row, 'properties') ?? {}) as object)
    const shown = new Set(row ? Object.keys(row) : ['id', 'createdAt', 'updatedAt', 'revision', ...kind.openFields])
    return new Set(properties.filter(name => !shown.has(name)))
  }

  async function find(viewer: Viewer, id: string) {
    const run = await runTable.get(unitOf(viewer), { id, ...(!viewer.isOperator && { tenantId: viewer.tenantId }) })
    const row = await readable(viewer.caller, run)
    if (!row && !viewer.isOperator) throw common.not_found({ what: 'run' })
    return { run, hidden: hiddenOf(run, row) }
  }

  return {
    async list(viewer, { rowId, automation, state, tenantId, ...page }) {
      const unit = unitOf(viewer)
      const own = viewer.isOperator ? tenantId : viewer.tenantId
      const where = { rowId, automation, tenantId: own }
      // A plan for any state would read all runs to find a few: most are done.
      const and: Condition[] = state === undefined ? [] : [[`state = '${state}'`]]
      if (viewer.isOperator) {
        const found = await runTable.page(unit, { ...page, where, and })
        return {
          ...found,
          data: found.data.map(run => ({ ...run, error: shownError(run.error, hiddenOf(run, undefined)) })),
        }
      }
      if (rowId === undefined || own === undefined) return NONE
      const [first] = (await runTable.page(unit, { limit: 1, where: { rowId, tenantId: own } })).data
      const row = first && (await readable(viewer.caller, first))
      if (!first || !row) return NONE
      const { data, nextCursor } = await runTable.page(unit, { ...page, where, and })
      return { data: data.map(run => ({ ...run, error: withoutDetail(run.error) })), nextCursor }
    },

    async get(viewer, id, locale) {
      const { run, hidden } = await find(viewer, id)
      const unit = unitOf(viewer)
      const { tenantId } = run
      const found = await unit.all({
        run: ['select digest, input from automations_runs where tenant_id = $1 and id = $2', [tenantId, id]],
        steps: [
          `select ${stepTable.columns()} from automations_steps where tenant_id = $1 and run_id = $2 order by position, item`,
          [tenantId, id],
        ],
      })
      const [stored] = found.run.rows as unknown as { digest: string; input: Readonly<Record<string, unknown>> }[]
      const steps = stepTable.records(found.steps.rows as object[]).map(step => ({
        ...step,
        state: shownStepState(step.state, run.finishedAt !== null),
        title: stepTitles.of(step.action, locale),
      }))
      // The recipe writes the texts of steps for the staff of a product of people, not for the customer whom they are about.
      if (!stored || !hidden || (viewer.caller.isCustomer && !viewer.isOperator))
        return { ...run, error: withoutDetail(run.error), input: {}, steps: steps.map(withoutValues), next: [] }
      const definition = await definitions.get(stored.digest)
      const reader = { hidden, isOperator: viewer.isOperator }
      const show = createShownSteps(definition, reader)
      const shown = steps.map(step => ({ ...step, ...show(step, step) }))
      const failed = shown.findLast(({ state }) => state === 'failed')
      const isHidden = !viewer.isOperator || failed?.error?.detail === HIDDEN
      const error = isHidden ? withoutDetail(run.error) : run.error
      const next = run.finishedAt === null || run.state === 'failed' ? stepTitles.after(definition, steps, locale) : []
      return { ...run, error, input: shownTrigger(stored.input, reader), steps: shown, next }
    },

    tenantOf: async id => (await runTable.get(everywhere(), { id })).tenantId,
  }
}

type RowOfRun = Pick<RunRecord, 'tenantId' | 'collection' | 'rowId'>
const NONE: PageOf<RunRecord> = { data: [], nextCursor: null }

/** The detail of an error may quote a value. The run itself says whether it does. */
const shownError = (error: RunRecord['error'], hidden: HiddenFields | undefined): RunRecord['error'] =>
  hidden?.size === 0 ? error : withoutDetail(error)

const withoutValues = <S extends StepRecord>(step: S): S => ({
  ...step,
  input: null,
  output: null,
  error: withoutDetail(step.error),
})
