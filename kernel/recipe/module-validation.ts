/** What services and modules report about their parts of a recipe. */
import { dirname, resolve } from 'node:path'
import type { RecipeFault, ValidatedRecipe } from '../contract/index.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { Found } from './found.ts'
import type { LoadedModule } from './load.ts'
import type { RecipeValue } from './shape.ts'
import { keyLocation, type MapTree, type Path, valueLocation } from './tree.ts'

/** Resolves a path against the file in which the value at `path` stands. */
export const fileResolver =
  (tree: MapTree) =>
  (path: Path, value: string): string =>
    resolve(dirname(valueLocation(tree, path).file), value)

/** A module is asked only if its options and sections match their schemas; a service asks `isValid` itself. */
export function validationProblems(value: RecipeValue, file: string, found: Found): Diagnostic[] {
  const common = ['locales', 'product'].every(name => found.intact([name]) && deepIntact(found, [name]))
  return [
    ...found.services.flatMap(entry => ask(value, file, found, entry)),
    ...found.modules.flatMap(entry => (common && isValidModule(found, entry) ? ask(value, file, found, entry) : [])),
  ]
}

const isValidModule = (found: Found, { key, module }: LoadedModule): boolean =>
  [['modules', key], ...Object.keys(module.sections ?? {}).map(name => [name])].every(path => deepIntact(found, path))

const deepIntact = ({ intact, brokenBelow }: Found, path: Path): boolean => intact(path) && !brokenBelow(path)

const validRoles = ({ roles }: RecipeValue, { intact }: Found): RecipeValue['roles'] =>
  intact(['roles']) ? Object.fromEntries(Object.entries(roles).filter(([key]) => intact(['roles', key]))) : {}

function ask(value: RecipeValue, file: string, found: Found, { module, path }: LoadedModule): Diagnostic[] {
  if (!module.validate) return []
  const { tree, modules, lost, intact } = found
  const names = Object.keys(module.sections ?? {})
  const recipe: ValidatedRecipe = {
    options: path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)?.[step], value),
    sections: Object.fromEntries(names.flatMap(name => (name in value ? [[name, value[name]]] : []))),
    folder: dirname(file),
    locales: value.locales,
    publicUrl: (value.product?.publicUrl ?? '').replace(/\/+$/, ''),
    modules,
    roles: validRoles(value, found),
    complete: !lost,
    isValid: intact,
    resolveFile: fileResolver(tree),
  }
  const faults: readonly RecipeFault[] = module.validate(recipe as never)
  return faults.map(fault => {
    const place = fault.place ?? (fault.at === 'key' ? keyLocation : valueLocation)(tree, fault.path)
    return diagnosticAt('rule_violated', place, fault.path, fault.message, fault.hint)
  })
}
