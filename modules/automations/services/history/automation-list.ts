/** The automations of the running recipe, with what became of their runs. */
import { common, type Deps, decodeCursor, encodeCursor, type PageOf, pickText } from '@larder-dev/larder/kernel'
import type { Automation, Step } from '../../domain/definition/automation.ts'
import type { RunState } from '../../domain/run-states.ts'
import type { AutomationDetails, DefinedStep, ListedAutomation } from '../../records/automation.ts'
import type { Definitions } from '../definitions.ts'
import { nameOf, type StepTitles } from './step-titles.ts'

export interface AutomationList {
  list(query: { readonly limit?: number; readonly cursor?: string }, locale: string): Promise<PageOf<ListedAutomation>>
  /** Throws `not_found`. */
  get(key: string, locale: string): Promise<AutomationDetails>
}

interface Figures {
  readonly key: string
  readonly lastState: RunState | null
  readonly lastRunAt: Date | null
  readonly done: number
  readonly failed: number
  readonly open: number
  readonly nextAt: Date | null
}
const REASON = 'operators see the runs of every workspace'
const PAGE = 50
const RECENT = 100
/** Reads the last runs of each automation from an index, however many there are. */
const FIGURES = `select a.key, r.last_state as "lastState", r.last_run_at as "lastRunAt", coalesce(r.done, 0)::int as done,
    coalesce(r.failed, 0)::int as failed, coalesce(r.open, 0)::int as open,
    coalesce((select next_at from automations_schedules s where s.automation = a.key and s.trigger = a.trigger),
      (select due_at from automations_dates d where d.automation = a.key and d.trigger = a.trigger
        order by due_at limit 1)) as "nextAt"
  from unnest($1::text[], $2::text[]) as a (key, trigger)
  left join lateral (
    select (array_agg(state order by id desc))[1] as last_state, max(created_at) as last_run_at,
      count(*) filter (where state = 'done') as done, count(*) filter (where state = 'failed') as failed,
      count(*) filter (where finished_at is null) as open
    from (select id, state, created_at, finished_at from automations_runs where automation = a.key
      order by id desc limit ${RECENT}) recent) r on true`

export function createAutomationList({
  systemDatabase,
  product,
  definitions,
  stepTitles,
}: Deps<'systemDatabase' | 'product'> & {
  readonly definitions: Definitions
  readonly stepTitles: StepTitles
}): AutomationList {
  const keys = [...definitions.current.keys()].sort()
  return {
    async list({ limit = PAGE, cursor }, locale) {
      const [after] = decodeCursor(cursor, 1) ?? []
      const left = keys.filter(key => after === undefined || key > String(after))
      const chosen = left.slice(0, limit)
      const figures = await figuresOf(chosen)
      const data = chosen.flatMap(key => {
        const automation = definitions.current.get(key)
        const found = figures.get(key)
        return automation && found ? listed(automation, found, locale) : []
      })
      return { data, nextCursor: left.length > chosen.length ? encodeCursor([chosen.at(-1) ?? '']) : null }
    },
    async get(key, locale) {
      const automation = definitions.shownAutomation(key)
      const figures = automation && (await figuresOf([key])).get(key)
      if (!automation || !figures) throw common.not_found({ what: 'automation' })
      const { kind: _kind, ...settings } = automation.trigger
      return {
        ...listed(automation, figures, locale),
        settings: withoutSecret(settings),
        when: automation.when,
        definedSteps: automation.steps.map((step, position) => defined(step, position, locale)),
      }
    },
  }

  async function figuresOf(chosen: readonly string[]): Promise<ReadonlyMap<string, Figures>> {
    const { rows } = await systemDatabase
      .acrossTenants(REASON)
      .query<Figures>(FIGURES, [chosen, chosen.map(definitions.triggerOf)])
    return new Map(rows.map(row => [row.key, row]))
  }

  function defined(step: Step, position: number, locale: string): DefinedStep {
    const action = nameOf(step)
    return {
      position,
      action,
      title: stepTitles.of(action, locale),
      name: step.as,
      when: step.when,
      each: step.kind === 'action' ? step.each : null,
      continues: step.kind === 'action' && step.continues,
      input: step.kind === 'action' ? step.input : written(step, locale),
    }
  }

  function written(step: Exclude<Step, { kind: 'action' }>, locale: string): DefinedStep['input'] {
    if (step.kind === 'wait') return step.until === null ? { for: step.for } : { until: step.until }
    const { role, text, choices, timeout } = step
    return { role, text: pickText(text, locale, product.locales.default), choices, timeout }
  }

  function listed(automation: Automation, figures: Figures, locale: string): ListedAutomation {
    const { key, trigger, steps } = automation
    const label = automation.label ?? (trigger.kind === 'button' ? trigger.label : null)
    const { lastState, lastRunAt, done, failed, open, nextAt } = figures
    return {
      key,
      label: label === null ? key : pickText(label, locale, product.locales.default),
      trigger: trigger.kind,
      startedBy: startedBy(automation),
      steps: steps.length,
      lastState,
      lastRunAt,
      successRate: done + failed === 0 ? null : done / (done + failed),
      open,
      nextAt,
    }
  }
}

/** A hook's secret verifies its deliveries. */
const withoutSecret = ({ secret: _secret, ...shown }: Readonly<Record<string, unknown>>) => shown

function startedBy({ key, trigger }: Automation): string {
  if (trigger.kind === 'event') return trigger.events.join(', ')
  if (trigger.kind === 'schedule') return `${trigger.cron} (${trigger.timeZone})`
  if (trigger.kind === 'date') return `${trigger.collection}.${trigger.field}`
  return trigger.kind === 'button' ? trigger.on : `/v1/hooks/${key}`
}
