/** Runs in the database, while they are under way. */
import {
  type Deps,
  expression,
  isSuspendedSql,
  type Step,
  statement,
  statementTime,
  type Unit,
} from '@larder-dev/larder/kernel'
import type { RunState, StepState } from '../../domain/run-states.ts'
import { storableJson } from '../../domain/values/stored.ts'
import { stepTable } from '../../records/run.ts'
import type { RunFailure } from './failures.ts'

/** A run whose row in the database is locked. */
export interface OpenRun {
  readonly id: string
  readonly tenantId: string
  readonly automation: string
  readonly digest: string
  readonly state: RunState
  readonly collection: string | null
  readonly rowId: string | null
  readonly input: Readonly<Record<string, unknown>>
  readonly position: number
  readonly depth: number
  readonly cause: {
    readonly correlationId?: string
    readonly causationId?: string
    /** The customer of a product of people whose request or event started it. */
    readonly memberId?: string
  }
  /** Set while it waits, or while an action with outside effects runs. */
  readonly wakesAt: Date | null
  /** Whether it may go on, by the clock of the database. */
  readonly isDue: boolean
  /** Whether its workspace is suspended. It goes on when the workspace is active again. */
  readonly isSuspended: boolean
}

/** A step that has begun. */
export interface StepRow {
  readonly position: number
  readonly item: number
  readonly name: string | null
  readonly action: string
  readonly state: StepState
  readonly attempts: number
  /** Null for steps before the run's position. */
  readonly input: unknown
  readonly output: unknown
  /** The output with its secrets, encrypted. */
  readonly sealed: Buffer | null
  /** Bytes of the outputs of the items up to this one. */
  readonly outputBytes: number
}

const LOCK = `select id, tenant_id as "tenantId", automation, digest, state, collection, row_id as "rowId", input, position,
    depth, cause, wakes_at as "wakesAt", wakes_at is null or wakes_at <= coalesce($3::timestamptz, now()) as "isDue",
    ${isSuspendedSql('automations_runs.tenant_id')} as "isSuspended"
  from automations_runs where tenant_id = $1 and id = $2 and finished_at is null for update`
const HERE = '(select position from automations_runs where tenant_id = $1 and id = $2)'
const STEP = 'select position, item, name, action, state, attempts, output, sealed, output_bytes as "outputBytes"'
/** The items at its position before the last one are over, and aren't read. */
const STEPS = `(${STEP}, case when position = ${HERE} then input end as input from automations_steps
    where tenant_id = $1 and run_id = $2 and item = -1 and (name is not null or position = ${HERE}))
  union all
  (${STEP}, input from automations_steps
    where tenant_id = $1 and run_id = $2 and item >= 0 and position = ${HERE} order by item desc limit 1)
  order by position, item`
const ITEMS = `${STEP}, null as input from automations_steps
  where tenant_id = $1 and run_id = $2 and position = $3 and item >= 0 order by item`
/** An attempt that ended after its run. */
const END_STEP = statement(
  `update automations_steps set state = $state, output = $output, sealed = $sealed, error = $error, finished_at = now()
   where tenant_id = $tenantId and run_id = $runId and position = $position and item = $item and state = 'running'
     and attempts = $attempts`,
)
const REPLACE_STEP = `${stepTable.replacing(['tenantId', 'runId', 'position', 'item'], ['name', 'action', 'input', 'startedAt'])},
  input = coalesce(excluded.input, automations_steps.input)`
const FINISHED_AT = "case when $1 in ('done', 'passed', 'failed') then now() end"
const MOVE = statement(
  `update automations_runs set state = $state, position = $position, error = $error,
     wakes_at = case when $wakesIn::bigint is not null
         then coalesce($now::timestamptz, now()) + $wakesIn::bigint * interval '1 millisecond'
       when $wakesAt::timestamptz is not null
         then least($wakesAt::timestamptz, coalesce($now::timestamptz, now()) + interval '400 days') end,
     finished_at = case when $state in ('running', 'waiting') then null else now() end
   where tenant_id = $tenantId and id = $id returning wakes_at as "wakesAt"`,
)

export interface StepChange {
  readonly position: number
  readonly item?: number
  readonly name: string | null
  readonly action: string
  readonly state: StepState
  readonly attempts?: number
  readonly input?: unknown
  readonly output?: unknown
  readonly sealed?: Buffer | null
  readonly outputBytes?: number
  readonly error?: RunFailure
}
export interface Move {
  readonly state: RunState
  readonly position: number
  readonly error?: RunFailure
  /** Milliseconds, from the time of the database. */
  readonly wakesIn?: number
  readonly wakesAt?: Date
}

export interface LockedRun {
  readonly run: OpenRun | undefined
  readonly steps: readonly StepRow[]
}
export interface Runs {
  /**
   * Locks a run until the unit ends: undefined for one that is over. The steps are the one at its position, with its last
   * item, and those with a name.
   */
  lock(unit: Unit, tenantId: string, id: string): Promise<LockedRun>
  /** The items of a step with `each`. */
  items(unit: Unit, run: Pick<OpenRun, 'tenantId' | 'id' | 'position'>): Promise<readonly StepRow[]>
  stepOf(run: Pick<OpenRun, 'tenantId' | 'id'>, change: StepChange): Step
  /** The end of an attempt whose run was over before. Another attempt keeps its record. */
  endOf(run: Pick<OpenRun, 'tenantId' | 'id'>, change: StepChange): Step
  moveOf(run: Pick<OpenRun, 'tenantId' | 'id'>, move: Move): Step
  /** Runs its steps at this time, or at once. */
  enqueue(run: Pick<OpenRun, 'tenantId' | 'id'>, at?: Date): Promise<unknown>
  /** Runs its steps at once, instead of at the time that it waits for. */
  wake(run: Pick<OpenRun, 'tenantId' | 'id'>): Promise<unknown>
}

const json = (value: unknown): string | null => (value === undefined ? null : storableJson(value))

export const createRuns = ({ jobs, clock }: Deps<'jobs' | 'clock'>): Runs => ({
  async wake({ tenantId, id }) {
    await jobs.cancel('automations.run', id)
    return jobs.enqueue('automations.run', { runId: id }, { tenantId, key: id })
  },
  async lock(unit, tenantId, id) {
    const { run, steps } = await unit.all({
      run: [LOCK, [tenantId, id, statementTime(clock)]],
      steps: [STEPS, [tenantId, id]],
    })
    return { run: run.rows[0] as OpenRun | undefined, steps: steps.rows as unknown as readonly StepRow[] }
  },
  async items(unit, { tenantId, id, position }) {
    const { rows } = await unit.query<StepRow>(ITEMS, [tenantId, id, position])
    return rows
  },
  endOf: (run, { position, item = -1, state, attempts = 1, output, sealed = null, error }) =>
    END_STEP({
      tenantId: run.tenantId,
      runId: run.id,
      position,
      item,
      state,
      attempts,
      output: json(output),
      sealed,
      error: json(error),
    }),
  stepOf: (
    run,
    { position, item = -1, name, action, state, attempts = 1, input, output, sealed = null, outputBytes = 0, error },
  ) =>
    stepTable.insertStep(
      {
        tenantId: run.tenantId,
        runId: run.id,
        position,
        item,
        name,
        action,
        state,
        attempts,
        input: expression('$1::jsonb', json(input)),
        output: expression('$1::jsonb', json(output)),
        sealed,
        outputBytes,
        error: expression('$1::jsonb', json(error)),
        startedAt: expression('now()'),
        finishedAt: expression(FINISHED_AT, state),
      },
      REPLACE_STEP,
    ),
  moveOf: ({ tenantId, id }, { state, position, error, wakesIn, wakesAt }) =>
    MOVE({
      tenantId,
      id,
      state,
      position,
      error: json(error),
      wakesIn: wakesIn ?? null,
      wakesAt: wakesAt?.toISOString() ?? null,
      now: statementTime(clock),
    }),
  enqueue: ({ tenantId, id }, at) =>
    jobs.enqueue('automations.run', { runId: id }, { tenantId, key: id, ...(at && { at }) }),
})
