/** Answers of members to the questions of runs. */
import { common, type Deps, statementTime } from '@larder-dev/larder/kernel'
import { problems } from '../../problems.ts'
import type { Runs } from '../runs/run-record.ts'

export interface Asks {
  /**
   * Records an answer. The first one decides: throws `already_answered` for later ones, `not_found` for one of another
   * workspace and `forbidden` for a member without the role.
   */
  answer(given: {
    readonly tenantId: string
    readonly askId: string
    readonly userId: string
    readonly roles: readonly string[]
    readonly choice: string
  }): Promise<void>
}

interface OpenAsk {
  readonly runId: string
  readonly role: string
  readonly choices: readonly string[]
  readonly isOpen: boolean
}
const FIND = `select run_id as "runId", role, choices, answered_at is null and expires_at > coalesce($3::timestamptz, now()) as "isOpen"
  from automations_asks where tenant_id = $1 and id = $2`
/** Again, because another answer may have been committed since. */
const ANSWER = `update automations_asks set choice = $3, answered_by = $4, answered_at = now()
  where tenant_id = $1 and id = $2 and answered_at is null and expires_at > coalesce($5::timestamptz, now())`
const WAKE = `update automations_runs set wakes_at = null where tenant_id = $1 and id = $2`

export const createAsks = ({ database, clock, runs }: Deps<'database' | 'clock'> & { readonly runs: Runs }): Asks => ({
  answer: ({ tenantId, askId, userId, roles, choice }) =>
    database.tenant(tenantId).transaction(async unit => {
      const { rows } = await unit.query<OpenAsk>(FIND, [tenantId, askId, statementTime(clock)])
      const [ask] = rows
      if (!ask) throw common.not_found({ what: 'question' })
      if (!roles.includes(ask.role)) throw problems.not_asked()
      if (!ask.choices.includes(choice)) throw problems.unknown_choice({ choices: ask.choices.join(', ') })
      if (!ask.isOpen) throw problems.already_answered()
      // In the order of the runner, which locks the run first.
      const { run } = await runs.lock(unit, tenantId, ask.runId)
      if (!run) throw problems.already_answered()
      const { rowCount } = await unit.query(ANSWER, [tenantId, askId, choice, userId, statementTime(clock)])
      if (rowCount === 0) throw problems.already_answered()
      await unit.defer([[WAKE, [tenantId, run.id]]])
      await runs.wake(run)
    }),
})
