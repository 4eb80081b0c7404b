/** Checks a whole recipe: its shape, its modules, how they fit together, and what it points at. All problems at once. */

import { limitProblems } from '../../services/http/recipe/rate-limits.ts'
import type { MailOverride } from '../../services/templates/mail-files.ts'
import {
  addressProblems,
  type Found,
  logoFile,
  mailOverrides,
  referenceProblems,
  templateProblems,
  themeFolder,
} from '../../services/templates/recipe/references.ts'
import { themeProblems } from '../../services/templates/recipe/theme.ts'
import { milliseconds, newBudget, readText, Unreadable } from '../base/index.ts'
import { fitTogether } from './compatibility.ts'
import { RecipeError, type RecipeProblem } from './diagnostic.ts'
import { type LoadedModule, loadModules } from './load.ts'
import { reviewProblems } from './module-validation.ts'
import { createModuleFinder, type ModuleFinder } from './modules.ts'
import { type RecipeSource, readRecipe } from './read.ts'
import type { FailedModule, RecipeModule } from './recipe-module.ts'
import { roleProblems } from './roles.ts'
import type { RecipeValue } from './shape.ts'
import { dotted, fromEnvironment, type MapTree, type Path, toValue } from './tree.ts'
import { createPartChecker } from './validate-section.ts'
import { shapeProblems } from './validate-sections.ts'

export interface CheckedRecipe {
  /** Absolute. */
  readonly file: string
  /** `publicUrl` without a slash at its end. */
  readonly product: { readonly key: string; readonly name: string; readonly publicUrl: string }
  readonly theme: {
    readonly name: string
    /** Absolute, as the logo is. */
    readonly folder: string
    readonly tokens: Readonly<Record<string, string>>
    readonly logo: string | undefined
  }
  readonly locales: { readonly default: string; readonly available: readonly string[] }
  /** With their defaults filled in; `platform` is always among them. */
  readonly modules: readonly RecipeModule[]
  /** Optional modules that could not be loaded, or do not fit the others. */
  readonly failed: readonly FailedModule[]
  readonly roles: RecipeValue['roles']
  readonly emails: readonly MailOverride[]
  readonly docs: boolean
  /** By name of the limit; the window in milliseconds. */
  readonly rateLimits: Readonly<Record<string, { readonly points: number; readonly window: number }>>
  /** The recipe as a whole, merged and with defaults; secrets are NOT masked in it: see mask.ts. */
  readonly value: RecipeValue
  /** JSON Pointers of what came from the environment. */
  readonly fromEnv: ReadonlySet<string>
  /** Every file that was read. */
  readonly files: readonly string[]
}

/** The recipe in `file` (absolute), read with `env` and checked. Throws a RecipeError. */
export const checkFile = (file: string, env: Readonly<Record<string, string | undefined>>): Promise<CheckedRecipe> =>
  checkRecipe(readRecipe(file, env))

/** Throws a RecipeError with every problem of every step that could be taken. Nothing is connected, nothing written. */
export async function checkRecipe(
  source: RecipeSource,
  builtIn: ModuleFinder = createModuleFinder(),
): Promise<CheckedRecipe> {
  const { tree } = source
  if (!tree) throw new RecipeError(source.problems, source.texts)
  const loaded = await loadModules(tree, builtIn)
  const value = toValue(tree) as RecipeValue
  const lost = loaded.problems.length + loaded.failed.length > 0
  const parts = await shapeProblems(createPartChecker(source.broken), value, tree, loaded)
  const shape = [...parts, ...addressProblems(value, { tree, intact: intactIn(parts) })]
  const fit = await fitTogether(loaded, tree, builtIn)
  // What stands where the reading failed already is not told a second time.
  const told = new Set(source.problems.map(placeName))
  const problems = [
    ...source.problems,
    ...[...loaded.problems, ...shape, ...fit.problems].filter(problem => !told.has(placeName(problem))),
    ...furtherProblems(value, { tree, modules: fit.modules, lost, intact: intactIn(shape) }),
    // What could not be read may hold what modules would ask for.
    ...(source.broken ? [] : reviewProblems(value, { file: source.file, tree, modules: fit.modules, shape })),
  ]
  if (problems.length > 0) throw new RecipeError(problems, withTemplates(source.texts, problems))
  return toChecked(source, tree, value, fit.modules, fit.failed)
}

const placeName = ({ file, line, column }: RecipeProblem): string => `${file}:${line}:${column}`

/** Whether nothing is wrong with the shape of a value, nor with what holds it: only then more can be asked of it. */
function intactIn(shape: readonly RecipeProblem[]): (path: Path) => boolean {
  const wrong = new Set(shape.map(({ path }) => path))
  return path => !path.some((_, index) => wrong.has(dotted(path.slice(0, index + 1))))
}

const furtherProblems = (value: RecipeValue, found: Found): RecipeProblem[] => [
  ...roleProblems(value, found),
  ...limitProblems(value, found),
  ...referenceProblems(value, found),
  ...themeProblems(value, found),
  ...templateProblems(value, found),
]

/** The texts of templates too, for their code frames. */
function withTemplates(texts: ReadonlyMap<string, string>, problems: readonly RecipeProblem[]): Map<string, string> {
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
  modules: readonly LoadedModule[],
  failed: readonly FailedModule[],
): CheckedRecipe {
  const { product, theme, locales, roles, docs, rateLimits } = value
  return {
    file,
    product: { ...product, publicUrl: product.publicUrl.replace(/\/+$/, '') },
    theme: { name: theme.use, folder: themeFolder(value, tree), tokens: theme.tokens, logo: logoFile(value, tree) },
    locales,
    modules: modules.map(loaded => ({
      key: loaded.key,
      module: loaded.module,
      options: loaded.path.reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], value),
      sections: sectionsOf(loaded, value),
      source: loaded.source,
      optional: loaded.optional,
    })),
    failed,
    roles,
    emails: mailOverrides(value, tree),
    docs,
    rateLimits: Object.fromEntries(
      Object.entries(rateLimits).map(([name, { points, window }]) => [name, { points, window: milliseconds(window) }]),
    ),
    value,
    fromEnv: new Set(fromEnvironment(tree)),
    files: [...texts.keys()],
  }
}

const sectionsOf = ({ module }: LoadedModule, value: RecipeValue): Record<string, unknown> =>
  Object.fromEntries(Object.keys(module.sections ?? {}).flatMap(name => (name in value ? [[name, value[name]]] : [])))
