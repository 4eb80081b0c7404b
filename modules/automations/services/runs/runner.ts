/**
 * Runs the steps of a run, each in a transaction of its own, until one waits or fails. The lock on the run's row lets two
 * workers take turns. What a step does with the database commits together with the record that it is done.
 */
import { tracingChannel } from 'node:diagnostics_channel'
import {
  type BoundAction,
  common,
  currentContext,
  type Deps,
  once,
  Problem,
  type Unit,
  withContext,
} from '@larder-dev/larder/kernel'
import {
  type ActionStep,
  type AskStep,
  type Automation,
  DEFAULT_RETRY,
  MAX_INPUT_BYTES,
  MAX_ITEMS,
  MAX_OUTPUTS_BYTES,
  type Step,
  type WaitStep,
} from '../../domain/definition/automation.ts'
import { momentOf } from '../../domain/times/moment.ts'
import { matches } from '../../domain/values/condition.ts'
import { withoutTexts } from '../../domain/values/environment.ts'
import { type Offer, resolveText } from '../../domain/values/resolve.ts'
import type { AskOpener } from '../asks/ask-opener.ts'
import type { Definitions } from '../definitions.ts'
import type { Dates } from '../starts/dates.ts'
import { actionsOf } from './actions.ts'
import { delayAfter, failureOf, isPermanent, type RunFailure, StepRefused, UNKNOWN_ACTION } from './failures.ts'
import type { Inputs } from './inputs.ts'
import type { Offers } from './offers.ts'
import type { Outputs, StoredOutput } from './outputs.ts'
import type { Move, OpenRun, Runs, StepChange, StepRow } from './run-record.ts'

type PlanHolder = Parameters<NonNullable<RunnerDeps['entitlements']>['require']>[0]

/** Milliseconds in which no other worker takes a run whose action has outside effects. */
const OUTSIDE_LEASE = 120_000
/** The item of the record of a whole step. */
const WHOLE = -1
export const RUNS_ENTITLEMENT = 'automations.runs'

/** docs/observability.md */
const actionRuns = tracingChannel<unknown, { readonly step: TracedStep }>('larder.automations.step')
interface TracedStep {
  readonly runId: string
  readonly automation: string
  readonly tenantId: string
  /** From 0. */
  readonly position: number
  /** From 0, in a step with `each`; -1 in others. */
  readonly item: number
  /** `comms.mail` */
  readonly action: string
  /** From 1. */
  readonly attempt: number
}

export interface Runner {
  /** @param signal ends between two steps. */
  run(tenantId: string, runId: string, signal: AbortSignal): Promise<void>
}

/** `next`: the following step is due. `stop`: the run is over, waits, or belongs to another worker. */
type Progress = 'next' | 'stop' | OutsideCall
/** What an attempt needs of its step. */
type Attempted = Pick<ActionStep, 'as' | 'action' | 'retry' | 'continues'>
/** An action with outside effects, which runs after the transaction that recorded its beginning. */
interface OutsideCall {
  readonly run: OpenRun
  readonly automation: Automation
  readonly step: Attempted
  readonly item: number
  readonly attempts: number
  /** Bytes of the outputs of the items before this one. */
  readonly outputBytes: number
  /** Secrets of outputs that the input may use. Runs don't show them. */
  readonly secrets: readonly string[]
  readonly input: Readonly<Record<string, unknown>>
  /** Whether the run begins with this attempt. */
  readonly isStart: boolean
}

/** An action failed; its transaction is rolled back. */
class ActionFailed extends Error {
  readonly at: Omit<OutsideCall, 'input'> & { readonly input?: unknown }
  readonly reason: unknown

  constructor(at: ActionFailed['at'], reason: unknown) {
    super('an action failed')
    this.at = at
    this.reason = reason
  }
}

export type RunnerDeps = Deps<'database' | 'registry' | 'events' | 'log', 'entitlements' | 'people'> & {
  readonly definitions: Definitions
  readonly runs: Runs
  readonly offers: Offers
  readonly inputs: Inputs
  readonly outputs: Outputs
  readonly askOpener: AskOpener
  readonly dates: Dates
}

export function createRunner(deps: RunnerDeps): Runner {
  const {
    database,
    registry,
    events,
    entitlements,
    people,
    definitions,
    runs,
    offers,
    inputs,
    outputs,
    askOpener,
    dates,
  } = deps
  const actions = once(() => actionsOf(registry))

  /** Runs `work` as the automation: its events and rows name it as their cause. */
  const asAutomation = <T>(run: OpenRun, work: () => Promise<T>): Promise<T> =>
    withContext(
      {
        actor: { kind: 'system', id: `automation ${run.automation}` },
        correlationId: run.cause.correlationId,
        causationId: run.id,
        depth: run.depth,
      },
      work,
    )

  async function advance(tenantId: string, runId: string, signal: AbortSignal): Promise<Progress> {
    /** What has failed if the transaction does, for example at its commit. */
    let attempt: { readonly at: ActionFailed['at']; readonly begun: readonly StepRow[] } | undefined
    const work = async (unit: Unit): Promise<Progress> => {
      const { run, steps: begun } = await runs.lock(unit, tenantId, runId)
      if (!run) return 'stop'
      if (!run.isDue || run.isSuspended) {
        await runs.enqueue(run, run.wakesAt ?? undefined)
        return 'stop'
      }
      // Work that a customer caused ends with their access.
      const { share } = currentContext()
      if (share !== undefined && (await people?.isSuspended(tenantId, share))) {
        await fail(unit, run, CUSTOMER_SUSPENDED)
        return 'stop'
      }
      const automation = await definitions.get(run.digest)
      const step = automation.steps[run.position]
      if (!step) {
        await unit.defer([runs.moveOf(run, { state: 'done', position: run.position })])
        return 'stop'
      }
      const here = begun.filter(({ position }) => position === run.position)
      const waited = here[0]?.state === 'waiting'
      if (step.kind === 'ask' && waited)
        return finish({ unit, run, automation }, step, { state: 'done', output: await askOpener.outcome(unit, run) })
      if (step.kind === 'wait' && waited)
        return finish({ unit, run, automation }, step, { state: 'done', output: null })
      attempt = { at: attemptOf({ run, automation, step, here }), begun }
      const isStart = beginsRun(run, here)
      const isTimed = isStart && startsByTime(automation)
      const condition = isTimed ? automation.when : {}
      const offer = await offers
        .of(run, { step, condition, locksRow: isTimed || step.kind === 'ask' }, begun)
        .catch(error => {
          throw new ActionFailed(attemptOf({ run, automation, step, here }), error)
        })
      const hasMoved = isTimed && offer !== undefined && !hasDate(offer, automation)
      if (!offer || hasMoved || !matches(condition, offer)) {
        await unit.defer([
          runs.moveOf(run, { state: offer ? 'skipped' : 'ended', position: run.position }),
          ...(hasMoved ? dates.moveSteps(run.automation, run.tenantId, offer.row as Row) : []),
        ])
        return 'stop'
      }
      if (isStart && !(await isAllowed(unit, run))) return 'stop'
      return asAutomation(run, () => begin({ unit, run, automation, step, begun, here, offer, signal }))
    }
    try {
      return await database.tenant(tenantId).transaction(work)
    } catch (error) {
      // Without the database, nothing could be recorded: the job is repeated.
      if (error instanceof ActionFailed || !attempt || isUnavailable(error)) throw error
      throw new ActionFailed({ ...attempt.at, secrets: outputs.secretsOf(attempt.begun) }, error)
    }
  }

  interface Begin {
    readonly unit: Unit
    readonly run: OpenRun
    readonly automation: Automation
    readonly step: Step
    readonly begun: readonly StepRow[]
    /** The records of this step. */
    readonly here: readonly StepRow[]
    readonly offer: Offer
    readonly signal: AbortSignal
  }

  function begin(given: Begin): Promise<Progress> {
    const { step, here, offer } = given
    const isFirst = here.length === 0
    if (isFirst && !matches(step.when, offer)) return finish(given, step, { state: 'passed', output: null })
    if (step.kind === 'action') return act(given, step)
    const waits = step.kind === 'wait' ? wait(given, step) : ask(given, step)
    return waits.catch(error => {
      throw new ActionFailed(attemptOf(given), error)
    })
  }

  /** An attempt that fails before its action has an input. */
  function attemptOf({ run, automation, step, here }: Pick<Begin, 'run' | 'automation' | 'step' | 'here'>) {
    const attempted =
      step.kind === 'action' ? step : { as: step.as, action: step.kind, retry: DEFAULT_RETRY, continues: false }
    const item = step.kind === 'action' && step.each !== null ? itemAfter(here) : WHOLE
    const attempts = (here.find(each => each.item === item)?.attempts ?? 0) + 1
    const outputBytes = lastItem(here)?.outputBytes ?? 0
    return { run, automation, step: attempted, item, attempts, outputBytes, secrets: [], isStart: beginsRun(run, here) }
  }

  async function finish(
    { unit, run, automation }: Pick<Begin, 'unit' | 'run' | 'automation'>,
    step: Step,
    ended: { readonly state: 'done' | 'passed'; readonly output: unknown; readonly sealed?: Buffer | null },
  ): Promise<Progress> {
    const { position } = run
    await unit.defer([
      runs.stepOf(run, { position, name: step.as, action: nameOf(step), ...ended }),
      runs.moveOf(run, following(automation, position + 1)),
    ])
    return 'next'
  }

  async function ask({ unit, run, offer }: Begin, step: AskStep): Promise<Progress> {
    const { position } = run
    const asked = shown({ run, secrets: [] }, await askOpener.open(unit, run, step, offer))
    const { move } = await unit.all({
      step: runs.stepOf(run, { position, name: step.as, action: 'ask', state: 'waiting', input: asked }),
      move: runs.moveOf(run, { state: 'waiting', position, wakesIn: step.timeout }),
    })
    await runs.enqueue(run, (move.rows[0] as { wakesAt: Date } | undefined)?.wakesAt)
    return 'stop'
  }

  async function wait({ unit, run, offer }: Begin, step: WaitStep): Promise<Progress> {
    const until = step.until === null ? undefined : timeOf(resolveText(step.until, offer), step.until)
    const { position } = run
    const { move } = await unit.all({
      step: runs.stepOf(run, {
        position,
        name: step.as,
        action: 'wait',
        state: 'waiting',
        input: until ? { until: until.toISOString() } : { for: step.for },
      }),
      move: runs.moveOf(run, {
        state: 'waiting',
        position,
        ...(until ? { wakesAt: until } : { wakesIn: step.for ?? 0 }),
      }),
    })
    await runs.enqueue(run, (move.rows[0] as { wakesAt: Date } | undefined)?.wakesAt)
    return 'stop'
  }

  async function act(given: Begin, own: ActionStep): Promise<Progress> {
    const { unit, run, begun, here, offer, signal } = given
    const { position } = run
    const action = actions().get(own.action)
    const at = { ...attemptOf(given), step: own, secrets: outputs.secretsOf(begun) }
    const { item, attempts } = at
    let input: Readonly<Record<string, unknown>> | undefined
    let list: readonly unknown[] | undefined
    try {
      list = own.each === null ? undefined : itemsOf(own, here, offer)
    } catch (error) {
      // Without its list, the step has no items that could fail.
      throw new ActionFailed({ ...at, item: WHOLE }, error)
    }
    try {
      if (list && item >= list.length) {
        // Nothing reads those of a step without a name.
        const items = own.as === null || list.length === 0 ? [] : await runs.items(unit, run)
        return await finish(given, own, { state: 'done', ...outputs.ofItems(items) })
      }
      if (list && !listAtStart(here)) {
        await unit.defer([
          runs.stepOf(run, { position, name: own.as, action: own.action, state: 'running', input: { items: list } }),
        ])
        return 'next'
      }
      if (!action) throw new StepRefused(UNKNOWN_ACTION, `No module has the action ${own.action}`)
      const values = list ? { ...offer, item: list[item] } : offer
      input = await inputs.of(own.action, action, {
        written: own.input,
        offer: values,
        tenantId: run.tenantId,
        collection: run.collection,
      })
      if (action.effects === 'outside') {
        await unit.defer([
          runs.stepOf(run, {
            position,
            item,
            name: own.as,
            action: own.action,
            state: 'running',
            attempts,
            input: shown(at, input),
            outputBytes: at.outputBytes,
          }),
          runs.moveOf(run, { state: 'running', position, wakesIn: OUTSIDE_LEASE }),
        ])
        return { ...at, input }
      }
      const output = limited(await runAction(action, at, input, signal), 'output')
      await unit.defer(doneSteps(at, input, outputOf(at, action, input, output)))
      return 'next'
    } catch (error) {
      throw new ActionFailed({ ...at, ...(input && { input }) }, error)
    }
  }

  /** An item moves the run on when all of them are over. */
  const doneSteps = (call: Omit<OutsideCall, 'input'>, input: unknown, output: StoredOutput) => {
    const { run, automation, item } = call
    return [
      runs.stepOf(run, doneStep(call, input, output)),
      runs.moveOf(run, following(automation, run.position + (item === WHOLE ? 1 : 0))),
    ]
  }
  const doneStep = (call: Omit<OutsideCall, 'input'>, input: unknown, output: StoredOutput): StepChange => {
    const { run, step, item, attempts } = call
    return {
      position: run.position,
      item,
      name: step.as,
      action: step.action,
      state: 'done',
      attempts,
      input: shown(call, input),
      ...keptOutput(call, output),
    }
  }

  type Shown = Pick<OutsideCall, 'run' | 'secrets'>
  const shown = ({ run, secrets }: Shown, input: unknown): unknown =>
    withoutTexts(definitions.shown(run.digest, run.position, input), secrets)
  /** Other systems repeat what they receive, for example in an error. */
  const withoutSecrets = <T>({ run, secrets }: Shown, input: unknown, value: T): T =>
    withoutTexts(value, [...secrets, ...definitions.secretsIn(run.digest, run.position, input)])

  const outputOf = (at: Shown, action: BoundAction, input: unknown, output: unknown): StoredOutput =>
    outputs.ofAction(action, output, value => withoutSecrets(at, input, value))

  function runAction(
    action: BoundAction,
    at: Omit<OutsideCall, 'input'>,
    input: OutsideCall['input'],
    signal: AbortSignal,
  ) {
    const { run, item, attempts, step } = at
    const { id: runId, automation, tenantId, position } = run
    const traced = { runId, automation, tenantId, position, item, action: step.action, attempt: attempts }
    return actionRuns.tracePromise(() => Promise.resolve(action.run(input, contextOf(at, signal))), { step: traced })
  }

  const contextOf = ({ run, item, attempts }: Omit<OutsideCall, 'input'>, signal: AbortSignal) => ({
    key: `${run.id}:${run.position}${item === WHOLE ? '' : `:${item}`}`,
    tenantId: run.tenantId,
    automation: run.automation,
    runId: run.id,
    attempt: attempts,
    signal,
  })

  async function callOutside(call: OutsideCall, signal: AbortSignal): Promise<Progress> {
    const { run, step, input } = call
    const action = actions().get(step.action) as BoundAction
    try {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(OUTSIDE_LEASE - 10_000)])
      const output = limited(await asAutomation(run, () => runAction(action, call, input, ends)), 'output')
      await database.tenant(run.tenantId).transaction(async unit => {
        const { run: locked } = await runs.lock(unit, run.tenantId, run.id)
        const stored = outputOf(call, action, input, output)
        if (locked?.position === run.position) await unit.defer(doneSteps(call, input, stored))
        // It was canceled in the meantime. Its step is finished.
        if (!locked) await unit.defer([runs.endOf(run, doneStep(call, input, stored))])
      })
      return 'next'
    } catch (error) {
      // The process stops: another one repeats the attempt.
      if (signal.aborted) throw error
      throw new ActionFailed(call, error)
    }
  }

  /** Records a failed attempt, in a transaction of its own, because that of the step is rolled back. */
  async function recordFailure({ at, reason }: ActionFailed): Promise<Progress> {
    const { run, automation, step, item, attempts, input, isStart } = at
    const { position, tenantId } = run
    const failure = withoutSecrets(at, input, failureOf(reason))
    const delay = isPermanent(reason) ? undefined : delayAfter(attempts, step.retry)
    return database.tenant(tenantId).transaction(async unit => {
      const { run: locked } = await runs.lock(unit, tenantId, run.id)
      const record = {
        position,
        item,
        name: step.as,
        action: step.action,
        attempts,
        input: shown(at, input),
        outputBytes: at.outputBytes,
        error: failure,
      }
      if (!locked) await unit.defer([runs.endOf(run, { ...record, state: 'failed' })])
      if (locked?.position !== position) return 'stop'
      // The count of a run that began with this attempt was rolled back, too.
      if (isStart && !(await isAllowed(unit, run))) return 'stop'
      if (delay !== undefined) {
        const { move } = await unit.all({
          // The record of a step that waits for a time or an answer is `waiting` once it does.
          step: runs.stepOf(run, { ...record, state: isWait(step) ? 'running' : 'waiting' }),
          move: runs.moveOf(run, { state: 'waiting', position, wakesIn: delay }),
        })
        await runs.enqueue(run, (move.rows[0] as { wakesAt: Date } | undefined)?.wakesAt)
        return 'stop'
      }
      const failed = runs.stepOf(run, { ...record, state: 'failed' })
      if (step.continues) {
        const next = position + (item === WHOLE ? 1 : 0)
        await unit.defer([failed, runs.moveOf(run, following(automation, next))])
        return 'next'
      }
      await unit.defer([failed])
      await fail(unit, run, failure)
      return 'stop'
    })
  }

  async function fail(unit: Unit, run: OpenRun, failure: RunFailure): Promise<void> {
    const { position, id, tenantId } = run
    await unit.defer([runs.moveOf(run, { state: 'failed', position, error: failure })])
    await asAutomation(run, () =>
      events.publish('automations.run.failed', {
        tenantId,
        subject: id,
        payload: { runId: id, automation: run.automation, position, code: failure.code },
      }),
    )
  }

  /** The customer who started the run, while they are one; otherwise its workspace. */
  async function planHolderOf({ tenantId, cause: { memberId } }: OpenRun): Promise<PlanHolder> {
    if (memberId === undefined || !people || !entitlements?.isMeter(RUNS_ENTITLEMENT)) return tenantId
    const [customer] = await people.customers(tenantId, [memberId])
    const [person] = customer === undefined ? [] : await people.byMemberIds(tenantId, [customer])
    return person ? { tenantId, memberId, userId: person.userId } : tenantId
  }

  /** Counts the run for the plan that pays for it. */
  async function isAllowed(unit: Unit, run: OpenRun): Promise<boolean> {
    try {
      await entitlements?.require(await planHolderOf(run), RUNS_ENTITLEMENT)
      return true
    } catch (error) {
      if (!Problem.is(error) || error.status !== 403) throw error
      await unit.defer([runs.moveOf(run, { state: 'refused', position: 0, error: failureOf(error) })])
      return false
    }
  }

  return {
    async run(tenantId, runId, signal) {
      let progress: Progress = 'next'
      while (progress !== 'stop' && !signal.aborted)
        try {
          progress = progress === 'next' ? await advance(tenantId, runId, signal) : await callOutside(progress, signal)
        } catch (error) {
          if (!(error instanceof ActionFailed)) throw error
          progress = await recordFailure(error)
        }
      signal.throwIfAborted()
    },
  }
}

const CUSTOMER_SUSPENDED: RunFailure = {
  code: common.customer_suspended.code,
  detail: 'An operator suspended the customer who caused this run.',
}

/** What starts other runs has matched their condition, with the event, the input or the row as it was then. */
const startsByTime = ({ trigger }: Automation): boolean => trigger.kind === 'date' || trigger.kind === 'schedule'

type Row = Readonly<Record<string, unknown>>
/** Whether the row still has the date whose moment has come. */
const hasDate = ({ row, date }: Offer, { trigger }: Automation): boolean =>
  trigger.kind !== 'date' || momentOf(trigger, (row as Row)[trigger.field])?.date === Date.parse(String(date))

const beginsRun = ({ position }: OpenRun, here: readonly StepRow[]): boolean => position === 0 && here.length === 0
const isWait = ({ action }: Attempted): boolean => action === 'wait' || action === 'ask'
/** Those before it are over. */
const lastItem = (here: readonly StepRow[]): StepRow | undefined => here.findLast(({ item }) => item >= 0)
function itemAfter(here: readonly StepRow[]): number {
  const { item = -1, state = 'done' } = lastItem(here) ?? {}
  return state === 'done' || state === 'failed' ? item + 1 : item
}
/** Nothing could be recorded now. */
const isUnavailable = (error: unknown): boolean => Problem.is(error) && error.status === 503

const nameOf = (step: Step): string => (step.kind === 'action' ? step.action : step.kind)

/** The end of a run is recorded with its last step. */
const following = ({ steps }: Automation, position: number): Move => ({
  state: position >= steps.length ? 'done' : 'running',
  position,
})

function timeOf(value: unknown, text: string): Date {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw new StepRefused('no_time', `${text} is no time`)
  return new Date(time)
}

/** The list with which a step with `each` began; undefined before. */
const listAtStart = (here: readonly StepRow[]): readonly unknown[] | undefined =>
  (here.find(({ item }) => item === WHOLE)?.input as { readonly items: readonly unknown[] } | null | undefined)?.items

/** The list of a step with `each`. Outputs of steps stay what they are, and say which of their items are rows. */
function itemsOf({ each }: ActionStep, here: readonly StepRow[], offer: Offer): readonly unknown[] {
  const stored = listAtStart(here)
  if (stored && !each?.startsWith('$steps.')) return stored
  const list = resolveText(each ?? '', offer)
  if (!Array.isArray(list)) throw new StepRefused('no_list', `${each} is no list`)
  if (list.length > MAX_ITEMS)
    throw new StepRefused('too_many_items', `${each} has ${list.length} items, over the limit of ${MAX_ITEMS}`)
  return limited(list, 'list')
}

/** The output of an item is kept as far as later steps, or people, read those of all items. */
function keptOutput(
  { step, item, outputBytes }: Pick<OutsideCall, 'step' | 'item' | 'outputBytes'>,
  { output, sealed }: StoredOutput,
): StoredOutput & Pick<StepRow, 'outputBytes'> {
  if (item === WHOLE) return { output, sealed, outputBytes }
  const total = outputBytes + Buffer.byteLength(JSON.stringify(output ?? null)) + (sealed?.length ?? 0)
  if (total <= MAX_OUTPUTS_BYTES) return { output, sealed, outputBytes: total }
  if (step.as === null) return { output: null, sealed: null, outputBytes }
  throw new StepRefused(
    'outputs_too_large',
    `The outputs of the items have ${total} bytes, over the limit of ${MAX_OUTPUTS_BYTES}`,
  )
}

function limited<T>(value: T, what: 'list' | 'output'): T {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  if (bytes <= MAX_INPUT_BYTES) return value
  throw new StepRefused(`${what}_too_large`, `The ${what} has ${bytes} bytes, over the limit of ${MAX_INPUT_BYTES}`)
}
