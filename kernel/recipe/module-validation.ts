/** What modules themselves find wrong in their parts of a recipe. */

import { dirname } from 'node:path'
import type { RecipeFault } from '../contract/index.ts'
import { problemAt, type RecipeProblem } from './diagnostic.ts'
import type { LoadedModule } from './load.ts'
import type { RecipeValue } from './shape.ts'
import { type MapTree, valuePlace } from './tree.ts'

export interface Reviewed {
  readonly file: string
  readonly tree: MapTree
  readonly modules: readonly LoadedModule[]
  /** Problems of the shape: a part that has one is not asked about further. */
  readonly shape: readonly RecipeProblem[]
}

export function reviewProblems(value: RecipeValue, { file, tree, modules, shape }: Reviewed): RecipeProblem[] {
  const parts = value as unknown as Readonly<Record<string, unknown>>
  const wrong = new Set(shape.flatMap(({ path }) => [rootOf(path), moduleOf(path)]))
  const places = new Set(shape.map(({ path }) => path))
  const common = ['', 'locales', 'product'].some(root => wrong.has(root) || places.has(root))
  return modules.flatMap(({ key, module, path }) => {
    const names = Object.keys(module.sections ?? {})
    if (!module.validate || common || [...names, `modules.${key}`].some(name => wrong.has(name))) return []
    const recipe = {
      options: path.reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], value),
      sections: Object.fromEntries(names.flatMap(name => (name in parts ? [[name, parts[name]]] : []))),
      folder: dirname(file),
      locales: value.locales,
      publicUrl: value.product.publicUrl.replace(/\/+$/, ''),
    }
    const faults: readonly RecipeFault[] = module.validate(recipe as never)
    return faults.map(fault => problemAt(valuePlace(tree, fault.path), fault.path, fault.message, fault.hint))
  })
}

const rootOf = (path: string): string => /^[^.[]*/.exec(path)?.[0] ?? ''
const moduleOf = (path: string): string => path.split('.').slice(0, 2).join('.')
