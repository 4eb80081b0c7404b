import type { Deps, RecipeChange, RecipeView } from '@larder-dev/larder/kernel'
import { type ProposedSchemaChange, planChanges } from '../services/storage/schema-service.ts'
import { allCollections, withPersonalCounts } from './module-collections.ts'
import type { Sections } from './sections.ts'

export async function plan(
  { systemDatabase, clock, registry }: Deps<'systemDatabase' | 'clock' | 'registry'>,
  _options: unknown,
  recipe: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const unit = systemDatabase.acrossTenants('a plan counts the rows that a change of a collection touches')
  const { sections, resolveFile } = recipe
  const collections = withPersonalCounts(
    allCollections(sections.collections ?? {}, registry.declared(), resolveFile),
    recipe,
  )
  const planned = await planChanges((sql, values) => unit.query(sql, values), collections, clock.now())
  return planned.map(describe)
}

function describe({
  change,
  subject,
  detail,
  breaks: broken,
  loss,
  findings: { rows, blocked, notes },
  checks,
  kept,
}: ProposedSchemaChange): RecipeChange {
  const breaks = [
    ...(blocked.length > 0 ? [`cannot be applied: ${blocked.join('; ')}`] : []),
    ...[broken, loss].filter(each => each !== undefined),
  ]
  return {
    change,
    subject,
    detail: [rows === undefined ? detail : `${detail} (${rows})`, ...notes].join('; '),
    ...(breaks.length > 0 && { breaks: breaks.join('; ') }),
    ...effectOf(),
  }

  function effectOf(): Pick<RecipeChange, 'effect'> {
    if (kept) return { effect: 'kept' }
    if (blocked.length > 0) return { effect: 'impossible' }
    return change === 'change' && checks.length > 0 ? { effect: 'narrows' } : {}
  }
}
