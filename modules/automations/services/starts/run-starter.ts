/** Inserts runs, each once, and the jobs that run them. */
import {
  continueTrace,
  currentContext,
  type Deps,
  newId,
  type Step,
  type Unit,
  withContext,
} from '@larder-dev/larder/kernel'
import { MAX_DEPTH, MAX_INPUT_BYTES } from '../../domain/definition/automation.ts'
import type { RunState } from '../../domain/run-states.ts'
import type { Definitions } from '../definitions.ts'
import type { RunFailure } from '../runs/failures.ts'

export interface NewRun {
  readonly automation: string
  readonly tenantId: string
  readonly trigger: 'event' | 'schedule' | 'date' | 'button' | 'hook'
  /** What makes it unique. */
  readonly key: string
  readonly collection?: string | null
  readonly rowId?: string | null
  /** What the trigger offers to the steps. */
  readonly input: Readonly<Record<string, unknown>>
  /** Runs that led to it; those that led to the request by default. */
  readonly depth?: number
  readonly correlationId?: string | null
  readonly causationId?: string | null
  /** The trace of its event; the current one by default. */
  readonly traceparent?: string
  /** Why it doesn't begin: the date itself is over. */
  readonly skipped?: boolean
}

export interface RunStarter {
  /** In the surrounding unit. Returns the IDs of the runs that didn't exist. */
  start(unit: Unit, runs: readonly NewRun[]): Promise<readonly StartedRun[]>
}
export interface StartedRun {
  readonly id: string
  readonly tenantId: string
}

interface InsertedRun extends StartedRun {
  readonly automation: string
  readonly depth: number
  readonly state: RunState
  readonly error: RunFailure | null
  readonly traceparent: string | null
}

const INSERT = `insert into automations_runs
    (id, tenant_id, automation, digest, key, trigger, state, collection, row_id, input, depth, cause, error,
     created_at, finished_at)
  select r.id, r.tenant_id, r.automation, r.digest, r.key, r.trigger, r.state, r.collection, r.row_id, r.input, r.depth,
    r.cause, r.error, now(), case when r.state = 'running' then null else now() end
  from json_to_recordset($1::json) as r (id text, tenant_id text, automation text, digest text, key text, trigger text,
    state text, collection text, row_id text, input jsonb, depth int, cause jsonb, error jsonb)
  on conflict (tenant_id, automation, key) do nothing
  returning id, tenant_id as "tenantId", automation, depth, state, error,
    cause->>'traceparent' as traceparent`

export function createRunStarter({
  clock,
  jobs,
  events,
  definitions,
}: Deps<'clock' | 'jobs' | 'events'> & {
  readonly definitions: Definitions
}): RunStarter {
  const insertStep = (runs: readonly NewRun[]): Step => {
    const now = clock.now()
    const { correlationId, depth: around = 0, share } = currentContext()
    const list = runs.map(run => {
      const depth = (run.depth ?? around) + 1
      const error = depth > MAX_DEPTH ? TOO_DEEP : tooLarge(run.input)
      return {
        id: newId('run', now),
        tenant_id: run.tenantId,
        automation: run.automation,
        digest: definitions.digestOf(run.automation),
        key: run.key,
        trigger: run.trigger,
        state: error ? 'failed' : run.skipped ? 'skipped' : 'running',
        collection: run.collection,
        row_id: run.rowId,
        input: error && error !== TOO_DEEP ? {} : run.input,
        depth,
        cause: {
          correlationId: run.correlationId ?? correlationId,
          causationId: run.causationId,
          traceparent: run.traceparent,
          // Every event of one call of a listener has the share of the same customer.
          memberId: share,
        },
        error,
      }
    })
    return [INSERT, [JSON.stringify(list)]]
  }

  /** The run of an automation that follows such failures would fail in turn: that isn't an event, so that it ends. */
  async function publishFailure({ id, tenantId, automation, depth }: Omit<InsertedRun, 'error'>, { code }: RunFailure) {
    if (depth > MAX_DEPTH + 1) return
    const payload = { runId: id, automation, position: 0, code }
    await withContext({ ...currentContext(), causationId: id, depth }, () =>
      events.publish('automations.run.failed', { tenantId, subject: id, payload }),
    )
  }

  return {
    async start(unit, runs) {
      if (runs.length === 0) return []
      const { rows } = await unit.query<InsertedRun>(...insertStep(runs))
      for (const { error, ...run } of rows) if (error) await publishFailure(run, error)
      const begun = rows.filter(({ state }) => state === 'running')
      await Promise.all(
        begun.map(({ id, tenantId, traceparent }) =>
          continueTrace({ traceparent }, () => jobs.enqueue('automations.run', { runId: id }, { tenantId, key: id })),
        ),
      )
      return rows
    },
  }
}

/** Counts the values, and not the names under which they are stored: a hook accepts a body of the same size. */
function tooLarge(input: object): RunFailure | null {
  const bytes = Object.values(input).reduce<number>(
    (sum, value) => sum + Buffer.byteLength(JSON.stringify(value) ?? ''),
    0,
  )
  if (bytes <= MAX_INPUT_BYTES) return null
  return { code: 'input_too_large', detail: `The trigger has ${bytes} bytes, over the limit of ${MAX_INPUT_BYTES}` }
}

const TOO_DEEP: RunFailure = {
  code: 'too_deep',
  detail: `More than ${MAX_DEPTH} automations started one another. Check whether they form a circle.`,
}
