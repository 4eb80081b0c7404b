/** Questions of runs: opened by a step, closed by the first answer or by their timeout. */
import { type Deps, expression, newId, statementTime, type Unit } from '@larder-dev/larder/kernel'
import type { AskStep } from '../../domain/definition/automation.ts'
import { type Offer, resolveText } from '../../domain/values/resolve.ts'
import { storableJson } from '../../domain/values/stored.ts'
import { askTable } from '../../records/ask.ts'
import { StepRefused } from '../runs/failures.ts'
import type { OpenRun } from '../runs/run-record.ts'

/** What `$steps.<name>` is after an `ask`. */
export interface AskOutcome {
  readonly choice: string | null
  readonly timedOut: boolean
  /** User ID. */
  readonly answeredBy: string | null
}

export interface AskOpener {
  /** Throws StepRefused if nobody has the role. Returns what the run shows. */
  open(unit: Unit, run: OpenRun, step: AskStep, offer: Offer): Promise<object>
  /** What became of the question at the run's position. It is closed from now on. */
  outcome(unit: Unit, run: AskingRun): Promise<AskOutcome>
  /** Closes the question at the run's position, if there is an open one. */
  close(unit: Unit, run: AskingRun): Promise<void>
}
type AskingRun = Pick<OpenRun, 'tenantId' | 'id' | 'position' | 'automation' | 'collection' | 'rowId'>

interface ClosedAsk extends Pick<AskOutcome, 'choice' | 'answeredBy'> {
  readonly id: string
  readonly role: string
}

const EXPIRY = `coalesce($1::timestamptz, now()) + $2::bigint * interval '1 millisecond'`
const CLOSE = `update automations_asks set answered_at = coalesce(answered_at, now())
  where tenant_id = $1 and run_id = $2 and position = $3 and (answered_at is null or not $4)
  returning id, role, choice, answered_by as "answeredBy"`

export function createAskOpener({ clock, events, people }: Deps<'clock' | 'events', 'people'>): AskOpener {
  async function closeOne(
    unit: Unit,
    { tenantId, id, position, automation, collection, rowId }: AskingRun,
    onlyOpen: boolean,
  ): Promise<ClosedAsk | undefined> {
    const { rows } = await unit.query<ClosedAsk>(CLOSE, [tenantId, id, position, onlyOpen])
    const [closed] = rows
    if (closed)
      await events.publish('automations.ask.closed', {
        tenantId,
        subject: closed.id,
        payload: { askId: closed.id, runId: id, automation, role: closed.role, collection, rowId },
      })
    return closed
  }

  return {
    async open(unit, run, { role, text, choices, timeout }, offer) {
      if (people && (await people.withRole(run.tenantId, role, { limit: 1 })).length === 0)
        throw new StepRefused('nobody_to_ask', `No member of the workspace has the role ${role}`)
      const id = newId('ask', clock.now())
      const texts = Object.fromEntries(
        Object.entries(typeof text === 'string' ? { '': text } : text).map(([locale, each]) => [
          locale,
          String(resolveText(each, offer) ?? ''),
        ]),
      )
      const worded = texts[''] ?? texts
      const { automation, position, tenantId, collection, rowId } = run
      const insert = askTable.insertStep({
        tenantId,
        id,
        runId: run.id,
        position,
        automation,
        role,
        text: expression('$1::jsonb', storableJson(worded)),
        choices,
        expiresAt: expression(EXPIRY, statementTime(clock), timeout),
        createdAt: expression('now()'),
      })
      await unit.defer([insert])
      await events.publish('automations.ask.opened', {
        tenantId,
        subject: id,
        payload: { askId: id, runId: run.id, automation, role, collection, rowId },
      })
      return { askId: id, role, text: worded, choices }
    },

    async outcome(unit, run) {
      const { choice = null, answeredBy = null } = (await closeOne(unit, run, false)) ?? {}
      return { choice, timedOut: choice === null, answeredBy }
    },
    async close(unit, run) {
      await closeOne(unit, run, true)
    },
  }
}
