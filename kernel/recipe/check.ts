/** Checks a whole recipe: its shape, its modules, how they fit together, and what it points at. All problems at once. */

import { newBudget, readText, Unreadable } from '../base/index.ts'
import { checkCompatibility } from './compatibility.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { Found } from './found.ts'
import { type Catalog, type LoadedModule, loadDefinitions } from './load.ts'
import { fileResolver, validationProblems } from './module-validation.ts'
import { type RecipeSource, readRecipe } from './read.ts'
import { RecipeError } from './recipe-error.ts'
import type { FailedModule, RecipeModule } from './recipe-module.ts'
import { roleProblems } from './roles.ts'
import type { RecipeValue } from './shape.ts'
import { dotted, fromEnvironment, type MapTree, type Path, toValue, valueLocation } from './tree.ts'
import { createSectionValidator } from './validate-section.ts'
import { validateSections } from './validate-sections.ts'

export interface CheckedRecipe {
  /** Absolute. */
  readonly file: string
  /** `publicUrl` without a slash at its end. */
  readonly product: { readonly key: string; readonly name: string; readonly publicUrl: string }
  readonly locales: { readonly default: string; readonly available: readonly string[] }
  /** The core services, or what the recipe replaces them with. */
  readonly services: readonly RecipeModule[]
  /** With defaults. Includes the modules that the catalog always loads. */
  readonly modules: readonly RecipeModule[]
  /** Optional modules that could not be loaded, or do not fit the others. */
  readonly failed: readonly FailedModule[]
  readonly roles: RecipeValue['roles']
  /** The recipe as a whole, merged and with defaults; secrets are NOT masked in it: see mask.ts. */
  readonly value: RecipeValue
  /** Resolves the path of a file against the recipe file that contains the value at `path`. */
  resolveFile(path: Path, value: string): string
  /** JSON Pointers of what came from the environment. */
  readonly fromEnv: ReadonlySet<string>
  /** Every file that was read. */
  readonly files: readonly string[]
}

/** Reads the recipe in `file` (absolute) with `env` and checks it. Throws a RecipeError. */
export const checkFile = (
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  catalog: Catalog,
): Promise<CheckedRecipe> => checkRecipe(readRecipe(file, env), catalog)

/** Throws a RecipeError with every problem of every step that could be taken. Connects to nothing, writes nothing. */
export async function checkRecipe(source: RecipeSource, catalog: Catalog): Promise<CheckedRecipe> {
  const { tree } = source
  if (!tree) throw new RecipeError(source.problems, source.texts)
  const loaded = await loadDefinitions(tree, catalog)
  const value = toValue(tree) as RecipeValue
  const lost = loaded.problems.length + loaded.failed.length > 0
  const parts = validateSections(createSectionValidator(source.broken), value, tree, loaded)
  const shape = [...parts, ...productProblems(value, tree, intactIn(parts))]
  const fit = await checkCompatibility(loaded, tree, catalog.modules)
  // A place where reading failed is reported once.
  const told = new Set(source.problems.map(placeName))
  const found: Found = {
    tree,
    services: loaded.services,
    modules: fit.modules,
    lost,
    intact: intactIn(shape),
    brokenBelow: brokenIn(shape),
  }
  const problems = [
    ...source.problems,
    ...[...loaded.problems, ...shape, ...fit.problems].filter(problem => !told.has(placeName(problem))),
    ...roleProblems(value, found),
    // What could not be read may contain what `validate` would miss.
    ...(source.broken ? [] : validationProblems(value, source.file, found)),
  ]
  if (problems.length > 0) throw new RecipeError(problems, withTemplates(source.texts, problems))
  return toChecked(source, tree, value, loaded.services, fit.modules, fit.failed)
}

/** Public URLs and languages that no schema can check: `http://localhost:80800`, a default that is not available. */
function productProblems(value: RecipeValue, tree: MapTree, intact: (path: Path) => boolean): Diagnostic[] {
  const problems: Diagnostic[] = []
  const report = (path: Path, message: string, hint: string) =>
    problems.push(diagnosticAt('invalid_value', valueLocation(tree, path), path, message, hint))
  const url: string | undefined = value.product?.publicUrl
  if (intact(['product', 'publicUrl']) && url !== undefined && !URL.canParse(url))
    report(['product', 'publicUrl'], `'${url}' is no address`, 'write it as https://acme.example')
  if (intact(['locales', 'default']) && intact(['locales', 'available'])) {
    const { default: standard, available } = value.locales
    if (!available.includes(standard))
      report(
        ['locales', 'default'],
        `'${standard}' is not among the languages that are available`,
        `write available: [${[standard, ...available].join(', ')}]`,
      )
  }
  return problems
}

const placeName = ({ file, line, column }: Diagnostic): string => `${file}:${line}:${column}`

/** Whether nothing is wrong with the shape of a value, nor with what holds it: only then more can be asked of it. */
function intactIn(shape: readonly Diagnostic[]): (path: Path) => boolean {
  const wrong = new Set(shape.map(({ path }) => path))
  return path => !path.some((_, index) => wrong.has(dotted(path.slice(0, index + 1))))
}

const brokenIn =
  (shape: readonly Diagnostic[]) =>
  (path: Path): boolean => {
    const prefix = dotted(path)
    return shape.some(problem => problem.path.startsWith(`${prefix}.`) || problem.path.startsWith(`${prefix}[`))
  }

/** The texts of templates too, for their code frames. */
function withTemplates(texts: ReadonlyMap<string, string>, problems: readonly Diagnostic[]): Map<string, string> {
  const all = new Map(texts)
  for (const { file } of problems)
    if (!all.has(file))
      try {
        all.set(file, readText(file, newBudget()))
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
      }
  return all
}

function toChecked(
  { file, texts }: RecipeSource,
  tree: MapTree,
  value: RecipeValue,
  services: readonly LoadedModule[],
  modules: readonly LoadedModule[],
  failed: readonly FailedModule[],
): CheckedRecipe {
  const { product, locales, roles } = value
  const toModule = (loaded: LoadedModule): RecipeModule => ({
    key: loaded.key,
    module: loaded.module,
    options: loaded.path.reduce<unknown>((found, step) => (found as Record<string, unknown>)?.[step], value) ?? {},
    sections: sectionsOf(loaded, value),
    source: loaded.source,
    optional: loaded.optional,
  })
  return {
    file,
    product: { ...product, publicUrl: product.publicUrl.replace(/\/+$/, '') },
    locales,
    services: services.map(toModule),
    modules: modules.map(toModule),
    failed,
    roles,
    resolveFile: fileResolver(tree),
    value,
    fromEnv: new Set(fromEnvironment(tree)),
    files: [...texts.keys()],
  }
}

const sectionsOf = ({ module }: LoadedModule, value: RecipeValue): Record<string, unknown> =>
  Object.fromEntries(Object.keys(module.sections ?? {}).flatMap(name => (name in value ? [[name, value[name]]] : [])))
