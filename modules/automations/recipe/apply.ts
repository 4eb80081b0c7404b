import type { Deps, RecipeView } from '@larder-dev/larder/kernel'
import type { AutomationServices } from '../services.ts'
import { type AffectedDeps, affectedRuns, answerKey } from './affected-runs.ts'
import type { Sections } from './sections.ts'

type ApplyDeps = AffectedDeps & Deps<'process'> & Pick<AutomationServices, 'planning'>

/**
 * Stores the definitions for the runs that begin with them, and plans what depends on times. Open runs of removed
 * automations go on, unless the operator has chosen to cancel them. A start removes no schedules and moments, because
 * processes of another recipe may still run: `larder recipe apply` does.
 */
export async function apply(deps: ApplyDeps, _options: unknown, view: RecipeView<Sections>): Promise<void> {
  const { definitions, planning, openRuns, process } = deps
  const { answers = {}, confirmed = false } = process
  for (const [key, { was }] of Object.entries(view.sections.automations ?? {}))
    if (was !== undefined) await openRuns.rename(was, key)
  if (Object.values(answers).includes('cancel'))
    for (const { automation, digests } of await affectedRuns(deps, view))
      if (answers[answerKey(automation)] === 'cancel') await openRuns.cancel(automation, digests)
  await definitions.save()
  await planning.save(confirmed)
}
