/** Runs that people start, retry and cancel. */
import { type Deps, lockStep, newId, type Unit } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { type RunRecord, runTable } from '../records/run.ts'
import type { AskOpener } from './asks/ask-opener.ts'
import type { Definitions } from './definitions.ts'
import type { Runs } from './runs/run-record.ts'
import type { NewRun, RunStarter } from './starts/run-starter.ts'

export interface Control {
  /**
   * A press of a button. Returns the run that has this key, which may be an older one. Throws `already_running`, and what
   * `assertOffered` throws, which runs while nobody else presses the button for this row.
   */
  press(run: NewRun & RowOfRun, assertOffered: () => Promise<void>): Promise<RunRecord>
  /**
   * Continues a failed run at the step that failed. Throws `not_found`, `run_not_failed`, `input_not_kept` and
   * `already_running`.
   */
  retry(tenantId: string, id: string): Promise<RunRecord>
  /** Ends a run between two steps. Throws `not_found` and `run_over`. */
  cancel(tenantId: string, id: string): Promise<RunRecord>
  /**
   * Starts a run with the same input. Throws `not_found`, `run_open`, `automation_removed`, `input_not_kept` and
   * `already_running`.
   */
  again(tenantId: string, id: string): Promise<RunRecord>
  /** Cancels the jobs of the open runs of a workspace that is being deleted, which would keep the deletion waiting. */
  cancelJobs(tenantId: string): Promise<void>
}

type RowOfRun = Pick<RunRecord, 'tenantId' | 'automation' | 'trigger' | 'collection' | 'rowId'>

type ControlDeps = Deps<'database' | 'clock' | 'jobs'> & {
  readonly definitions: Definitions
  readonly starter: RunStarter
  readonly runs: Runs
  readonly askOpener: AskOpener
}

const OPEN = `select id from automations_runs where tenant_id = $1 and finished_at is null and id > $2
  order by id limit 1000`
/** A press waits for its effects: two runs at once would both find the row as it was before. */
const PRESSED = `select id, key is not distinct from $5 as "isSame" from automations_runs
  where tenant_id = $1 and automation = $2 and trigger = 'button' and row_id = $3 and collection = $4
    and (finished_at is null or key = $5) order by 2 desc limit 1`

export function createControl({ database, clock, jobs, definitions, starter, runs, askOpener }: ControlDeps): Control {
  const inUnit = <T>(tenantId: string, work: (unit: Unit) => Promise<T>): Promise<T> =>
    database.tenant(tenantId).transaction(work)

  async function startIn(unit: Unit, run: NewRun): Promise<RunRecord> {
    await starter.start(unit, [run])
    return runTable.get(unit, { tenantId: run.tenantId, automation: run.automation, key: run.key })
  }

  /**
   * Locks the button of the row until the unit ends. Returns whether a run has this key. Throws `already_running` if another
   * one is open that a press or an operator has started.
   */
  async function isPressed(unit: Unit, run: RowOfRun, key: string | null = null): Promise<boolean> {
    const { tenantId, automation, trigger, collection, rowId } = run
    if (trigger !== 'button' || rowId === null) return false
    const { runs: found } = await unit.all({
      lock: lockStep('automations.button', tenantId, automation, rowId),
      runs: [PRESSED, [tenantId, automation, rowId, collection, key]],
    })
    const [pressed] = found.rows as unknown as { readonly id: string; readonly isSame: boolean }[]
    if (pressed && !pressed.isSame) throw problems.already_running({}, { runId: pressed.id })
    return pressed !== undefined
  }

  /** Throws `input_not_kept` for a run that began without what started it, which was too large. */
  async function inputOf(unit: Unit, { tenantId, id }: RunRecord): Promise<Readonly<Record<string, unknown>>> {
    const { rows } = await unit.query<{ input: Record<string, unknown> }>(
      'select input from automations_runs where tenant_id = $1 and id = $2',
      [tenantId, id],
    )
    const { input = {} } = rows[0] ?? {}
    if (Object.keys(input).length === 0) throw problems.input_not_kept()
    return input
  }

  return {
    async cancelJobs(tenantId) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { rows }: { rows: readonly { readonly id: string }[] } = await database
          .tenant(tenantId)
          .query<{ id: string }>(OPEN, [tenantId, after])
        for (const { id } of rows) await jobs.cancel('automations.run', id)
        after = rows.at(-1)?.id
      }
    },
    press: (run, assertOffered) =>
      inUnit(run.tenantId, async unit => {
        const { tenantId, automation, key } = run
        if (await isPressed(unit, run, key)) return runTable.get(unit, { tenantId, automation, key })
        await assertOffered()
        return startIn(unit, run)
      }),
    retry: (tenantId, id) =>
      inUnit(tenantId, async unit => {
        const run = await runTable.get(unit, { tenantId, id }, { lock: true })
        if (run.state !== 'failed') throw problems.run_not_failed()
        await inputOf(unit, run)
        await isPressed(unit, { ...run, tenantId })
        // Its attempts count anew, but the run doesn't: its first step stays one that has begun.
        await unit.defer([
          [
            `update automations_steps set attempts = 0, state = case state when 'failed' then 'running' else state end
             where tenant_id = $1 and run_id = $2 and position = $3`,
            [tenantId, id, run.position],
          ],
          runs.moveOf({ ...run, tenantId, id }, { state: 'running', position: run.position }),
        ])
        await runs.wake({ tenantId, id })
        return runTable.get(unit, { tenantId, id })
      }),
    cancel: (tenantId, id) =>
      inUnit(tenantId, async unit => {
        const run = await runTable.get(unit, { tenantId, id }, { lock: true })
        if (run.finishedAt !== null) throw problems.run_over()
        await unit.defer([runs.moveOf({ ...run, tenantId, id }, { state: 'cancelled', position: run.position })])
        await askOpener.close(unit, { ...run, tenantId })
        return runTable.get(unit, { tenantId, id })
      }),
    again: (tenantId, id) =>
      inUnit(tenantId, async unit => {
        const run = await runTable.get(unit, { tenantId, id })
        if (run.finishedAt === null) throw problems.run_open()
        if (!definitions.current.has(run.automation)) throw problems.automation_removed({ automation: run.automation })
        const input = await inputOf(unit, run)
        await isPressed(unit, { ...run, tenantId })
        const { automation, trigger, collection, rowId } = run
        const key = `again ${id} ${newId('key', clock.now())}`
        return startIn(unit, { automation, tenantId, trigger, key, collection, rowId, input })
      }),
  }
}
