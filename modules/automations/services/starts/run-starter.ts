/** Inserts runs, each once, and the jobs that run them. */
import { currentContext, type Deps, newId, type Step, type Unit } from '@larder-dev/larder/kernel'
import { MAX_DEPTH } from '../../domain/definition/automation.ts'
import type { Definitions } from '../definitions.ts'

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
  /** Runs that led to it. */
  readonly depth?: number
  readonly correlationId?: string | null
  readonly causationId?: string | null
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

const INSERT = `insert into automations_runs
    (id, tenant_id, automation, digest, key, trigger, state, collection, row_id, input, depth, cause, error,
     created_at, finished_at)
  select r.id, r.tenant_id, r.automation, r.digest, r.key, r.trigger, r.state, r.collection, r.row_id, r.input, r.depth,
    r.cause, r.error, now(), case when r.state = 'running' then null else now() end
  from json_to_recordset($1::json) as r (id text, tenant_id text, automation text, digest text, key text, trigger text,
    state text, collection text, row_id text, input jsonb, depth int, cause jsonb, error jsonb)
  on conflict (tenant_id, automation, key) do nothing
  returning id, tenant_id as "tenantId", state`

export function createRunStarter({
  clock,
  jobs,
  definitions,
}: Deps<'clock' | 'jobs'> & { readonly definitions: Definitions }): RunStarter {
  const insertStep = (runs: readonly NewRun[]): Step => {
    const now = clock.now()
    const { correlationId } = currentContext()
    const list = runs.map(run => {
      const depth = (run.depth ?? 0) + 1
      const isTooDeep = depth > MAX_DEPTH
      return {
        id: newId('run', now),
        tenant_id: run.tenantId,
        automation: run.automation,
        digest: definitions.digestOf(run.automation),
        key: run.key,
        trigger: run.trigger,
        state: isTooDeep ? 'failed' : run.skipped ? 'skipped' : 'running',
        collection: run.collection,
        row_id: run.rowId,
        input: run.input,
        depth,
        cause: { correlationId: run.correlationId ?? correlationId, causationId: run.causationId },
        error: isTooDeep ? TOO_DEEP : null,
      }
    })
    return [INSERT, [JSON.stringify(list)]]
  }

  return {
    async start(unit, runs) {
      if (runs.length === 0) return []
      const { rows } = await unit.query<StartedRun & { state: string }>(...insertStep(runs))
      const begun = rows.filter(({ state }) => state === 'running')
      await Promise.all(
        begun.map(({ id, tenantId }) => jobs.enqueue('automations.run', { runId: id }, { tenantId, key: id })),
      )
      return rows
    },
  }
}

const TOO_DEEP = {
  code: 'too_deep',
  detail: `More than ${MAX_DEPTH} automations started one another. Check whether they form a circle.`,
}
