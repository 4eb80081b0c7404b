/** The automations of the running recipe, with what became of their runs. */
import { type Deps, decodeCursor, encodeCursor, type PageOf, pickText } from '@larder-dev/larder/kernel'
import type { Automation } from '../../domain/definition/automation.ts'
import type { RunState } from '../../domain/run-states.ts'
import type { ListedAutomation } from '../../records/automation.ts'
import type { Definitions } from '../definitions.ts'

export interface AutomationList {
  list(query: { readonly limit?: number; readonly cursor?: string }, locale: string): Promise<PageOf<ListedAutomation>>
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
    coalesce((select next_at from automations_schedules s where s.automation = a.key),
      (select due_at from automations_dates d where d.automation = a.key order by due_at limit 1)) as "nextAt"
  from unnest($1::text[]) as a (key)
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
}: Deps<'systemDatabase' | 'product'> & { readonly definitions: Definitions }): AutomationList {
  const keys = [...definitions.current.keys()].sort()
  return {
    async list({ limit = PAGE, cursor }, locale) {
      const [after] = decodeCursor(cursor, 1) ?? []
      const left = keys.filter(key => after === undefined || key > String(after))
      const chosen = left.slice(0, limit)
      const { rows } = await systemDatabase.acrossTenants(REASON).query<Figures>(FIGURES, [chosen])
      const figures = new Map(rows.map(row => [row.key, row]))
      const data = chosen.flatMap(key => {
        const automation = definitions.current.get(key)
        const found = figures.get(key)
        return automation && found ? listed(automation, found, locale) : []
      })
      return { data, nextCursor: left.length > chosen.length ? encodeCursor([chosen.at(-1) ?? '']) : null }
    },
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

function startedBy({ key, trigger }: Automation): string {
  if (trigger.kind === 'event') return trigger.events.join(', ')
  if (trigger.kind === 'schedule') return `${trigger.cron} (${trigger.timeZone})`
  if (trigger.kind === 'date') return `${trigger.collection}.${trigger.field}`
  return trigger.kind === 'button' ? trigger.on : `/v1/hooks/${key}`
}
