import { byCodeUnits } from '../base/index.ts'
import { loadModules } from './load.ts'
import type { ModuleFinder } from './modules.ts'
import type { RecipeSource } from './read.ts'
import type { DescribedModule } from './schema.ts'

/**
 * Every module that Larder brings, and those that the recipe uses besides. One that cannot be loaded is left out: a
 * recipe that is being written is described as far as it goes.
 */
export async function describedModules({ tree }: RecipeSource, builtIn: ModuleFinder): Promise<DescribedModule[]> {
  const named = tree ? (await loadModules(tree, builtIn)).modules : []
  const left = builtIn.names().filter(name => !named.some(({ key }) => key === name))
  const others = await Promise.all(left.map(async key => ({ key, module: await builtIn.load(key), source: 'larder' })))
  return [...named, ...others].sort((a, b) => byCodeUnits(a.key, b.key))
}
