/** Open runs that a change of the recipe leaves without their automation, or without what their steps name. */
import type { Deps, RecipeView } from '@larder-dev/larder/kernel'
import type { RunGroup } from '../services/open-runs.ts'
import type { AutomationServices } from '../services.ts'
import { runningRecipe } from './running-recipe.ts'
import type { Sections } from './sections.ts'
import { brokenReferences } from './stored-check.ts'

export interface AffectedRuns {
  readonly automation: string
  readonly count: number
  readonly digests: readonly string[]
  /** What their steps name and the recipe no longer has; undefined if the automation itself is removed. */
  readonly missing: string | undefined
}
export type AffectedDeps = Deps<'registry' | 'access' | 'product'> &
  Pick<AutomationServices, 'definitions' | 'rowKinds' | 'openRuns'>

export async function affectedRuns(
  { registry, access, product, definitions, rowKinds, openRuns }: AffectedDeps,
  view: RecipeView<Sections>,
): Promise<readonly AffectedRuns[]> {
  const declared = Object.entries(view.sections.automations ?? {})
  const names = new Set(declared.flatMap(([key, { was }]) => (was === undefined ? [key] : [key, was])))
  const byAutomation = new Map<string, RunGroup[]>()
  for (const group of await openRuns.groups())
    byAutomation.set(group.automation, [...(byAutomation.get(group.automation) ?? []), group])
  const recipe = runningRecipe({ registry, access, product }, view)
  const found: AffectedRuns[] = []
  for (const [automation, groups] of byAutomation) {
    const isRemoved = !names.has(automation)
    const affected: (RunGroup & { readonly missing: string | undefined })[] = []
    for (const group of groups) {
      const [missing] = isRemoved
        ? []
        : brokenReferences(await definitions.get(group.digest), group.position, recipe, rowKinds)
      if (isRemoved || missing !== undefined) affected.push({ ...group, missing })
    }
    if (affected.length > 0)
      found.push({
        automation,
        count: affected.reduce((sum, { count }) => sum + count, 0),
        digests: affected.map(({ digest }) => digest),
        missing: affected[0]?.missing,
      })
  }
  return found
}

/** The key of the operator's answer in `process.answers`. */
export const answerKey = (automation: string): string => `automations.${automation}`
