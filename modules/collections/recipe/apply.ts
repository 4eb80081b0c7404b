import type { Deps, RecipeView } from '@larder-dev/larder/kernel'
import { applyChanges } from '../services/storage/schema-service.ts'
import { applySeeds } from '../services/storage/seeds.ts'
import { allCollections, withPersonalCounts } from './module-collections.ts'
import type { Sections } from './sections.ts'

/** Former values can be declared again, so nothing asks for confirmation in development. */
export async function apply(
  deps: Deps<
    | 'schemaOwner'
    | 'database'
    | 'systemDatabase'
    | 'operator'
    | 'clock'
    | 'process'
    | 'product'
    | 'registry'
    | 'settings'
    | 'log'
  >,
  _options: unknown,
  recipe: RecipeView<Sections>,
): Promise<void> {
  const { sections, resolveFile } = recipe
  const collections = withPersonalCounts(
    allCollections(sections.collections ?? {}, deps.registry.declared(), resolveFile),
    recipe,
  )
  const removes = deps.process.confirmed === true
  await applyChanges(deps, collections, { mayLose: removes || deps.settings.apply === 'all', removes })
  await applySeeds(deps, collections, deps.product)
}
