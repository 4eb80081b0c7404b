/** What `apply` would change: automations, their open runs, and the moments of existing rows. */
import type { RecipeChange, RecipeView } from '@larder-dev/larder/kernel'
import type { AutomationServices } from '../services.ts'
import { type AffectedDeps, type AffectedRuns, affectedRuns, answerKey } from './affected-runs.ts'
import type { Sections } from './sections.ts'

type PlanDeps = AffectedDeps & Pick<AutomationServices, 'planning'>

export async function plan(
  deps: PlanDeps,
  _options: unknown,
  view: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const { definitions, planning, openRuns } = deps
  const declared = view.sections.automations ?? {}
  const applied = await definitions.applied()
  const groups = await openRuns.groups()
  const openOf = (key: string): number =>
    groups.reduce((sum, { automation, count }) => sum + (automation === key ? count : 0), 0)
  const changes: RecipeChange[] = []
  for (const [key, { was }] of Object.entries(declared)) {
    const renamed = was !== undefined && !applied.has(key) && applied.has(was) ? was : undefined
    if (applied.get(key) === definitions.digestOf(key)) continue
    const moments = await planning.countMoments(key)
    const open = openOf(renamed ?? key)
    const details = [
      ...(renamed === undefined ? [] : [`renamed from ${renamed}`]),
      ...(open === 0 ? [] : [`its former definition holds for ${runCount(open)}`]),
      ...(moments === undefined ? [] : [`plans ${moments === 1 ? '1 moment' : `${moments} moments`} of existing rows`]),
    ]
    changes.push({
      change: applied.has(renamed ?? key) ? 'change' : 'add',
      subject: `automation ${key}`,
      ...(details.length > 0 && { detail: details.join('; ') }),
    })
  }
  const affected = await affectedRuns(deps, view)
  const isKept = (key: string) => Object.entries(declared).some(([name, { was }]) => name === key || was === key)
  const removed = new Set([...applied.keys(), ...affected.map(({ automation }) => automation)])
  for (const key of removed) {
    const runs = affected.find(({ automation }) => automation === key)
    if (!isKept(key))
      changes.push({
        change: 'remove',
        subject: `automation ${key}`,
        ...(runs && { detail: `has ${runCount(runs.count)}`, asks: finishOrCancel(runs) }),
      })
    else if (runs)
      changes.push({
        change: 'change',
        subject: `runs of automation ${key}`,
        detail: `${runCount(runs.count)} can't finish: ${runs.missing}`,
        asks: finishOrCancel(runs),
      })
  }
  return changes
}

const runCount = (count: number): string => (count === 1 ? '1 open run' : `${count} open runs`)

const finishOrCancel = ({ automation, count, missing }: AffectedRuns): RecipeChange['asks'] => ({
  key: answerKey(automation),
  question: `${runCount(count)} of automation ${automation}`,
  answers: [
    { value: 'finish', title: missing === undefined ? 'let them finish' : 'let them go on, and fail' },
    { value: 'cancel', title: 'cancel them' },
  ],
})
