import { byCodeUnits } from '../base/index.ts'
import type { DeclaredKeys } from '../contract/index.ts'
import { type Catalog, loadDefinitions } from './load.ts'
import type { RecipeSource } from './read.ts'
import type { DescribedModule } from './schema.ts'

/**
 * Returns every shipped service and module, and those that the recipe adds. Omits those that can't be loaded, so that an
 * unfinished recipe can be described.
 */
export async function describedDefinitions({ tree }: RecipeSource, catalog: Catalog): Promise<DescribedModule[]> {
  const loaded = tree ? await loadDefinitions(tree, catalog) : undefined
  const named = loaded?.modules ?? []
  const left = catalog.modules.names().filter(name => !named.some(({ key }) => key === name))
  const others = await Promise.all(
    left.map(async key => ({ key, module: await catalog.modules.load(key), source: 'larder' })),
  )
  const services = loaded?.services ?? catalog.services.map(module => ({ key: module.name, module, source: 'larder' }))
  return [...services, ...[...named, ...others].sort((a, b) => byCodeUnits(a.key, b.key))]
}

/** The keys of the sections of a recipe. */
export const declaredKeys = ({ tree }: Pick<RecipeSource, 'tree'>): DeclaredKeys =>
  Object.fromEntries(
    [...(tree?.entries ?? [])].flatMap(([section, { value }]) =>
      value.kind === 'map' ? [[section, [...value.entries.keys()]]] : [],
    ),
  )
