/** Checks a recipe: schemas, modules, their dependencies, roles and references. Reports all problems at once. */

import { parseUrl } from '../base/index.ts'
import { actionProblems } from './action-problems.ts'
import type { CheckContext } from './check-context.ts'
import { checkCompatibility, suggestModules, wiringDiagnostic } from './compatibility.ts'
import { withDeclarations } from './declarations.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { endpointProblems } from './endpoint-check.ts'
import type { WiringProblem } from './graph.ts'
import { literalSecrets } from './literal-secrets.ts'
import { type Catalog, type LoadedModule, loadDefinitions } from './load.ts'
import { validationProblems } from './module-validation.ts'
import { type RecipeSource, readRecipe } from './read.ts'
import { RecipeError, sortDiagnostics } from './recipe-error.ts'
import type { FailedModule, RecipeModule } from './recipe-module.ts'
import { extensionProblems, withExtendedPermissions } from './role-extension.ts'
import { roleProblems } from './roles.ts'
import type { RecipeValue } from './shape.ts'
import { dotted, fileResolver, fromEnvironment, type MapTree, type Path, toValue, valueLocation } from './tree.ts'
import { createSectionValidator } from './validate-section.ts'
import { validateSections } from './validate-sections.ts'

export interface CheckedRecipe {
  /** Absolute. */
  readonly file: string
  /** `publicUrl` without a slash at its end. */
  readonly product: RecipeValue['product']
  readonly locales: { readonly default: string; readonly available: readonly string[] }
  /** The core services or their replacements. */
  readonly services: readonly RecipeModule[]
  /** With defaults. Includes the modules that the catalog always loads. */
  readonly modules: readonly RecipeModule[]
  /** Optional modules that could not be loaded, or that need missing ports. */
  readonly failed: readonly FailedModule[]
  readonly roles: RecipeValue['roles']
  /** The merged recipe with defaults. Secrets are NOT masked; see mask.ts. */
  readonly value: RecipeValue
  /** Resolves the path of a file against the recipe file that contains the value at `path`. */
  resolveFile(path: Path, value: string): string
  /** A problem of the definition, where the recipe names it. */
  problemOf(problem: WiringProblem): Diagnostic
  /** JSON Pointers of values from the environment. */
  readonly fromEnv: ReadonlySet<string>
  /** The files of the recipe. */
  readonly files: readonly string[]
  /** In the order of files and lines. */
  readonly warnings: readonly Diagnostic[]
}

export interface CheckOptions {
  /** Treats warnings as errors. */
  readonly strict?: boolean
}

/** Reads the recipe in `file` (absolute) with `env` and checks it. Throws a RecipeError. */
export const checkFile = (
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  catalog: Catalog,
  options?: CheckOptions,
): Promise<CheckedRecipe> => checkRecipe(readRecipe(file, env), catalog, options)

/** Throws a RecipeError with all problems. Connects to nothing and writes nothing. */
export async function checkRecipe(
  source: RecipeSource,
  catalog: Catalog,
  { strict = false }: CheckOptions = {},
): Promise<CheckedRecipe> {
  const { tree } = source
  const files = [...source.texts.keys()]
  if (!tree) throw new RecipeError(source.problems, files)
  const found = await loadDefinitions(tree, catalog)
  const value = toValue(tree) as RecipeValue
  const sectionProblems = await suggestModules(
    validateSections(createSectionValidator(source.broken), value, tree, found),
    found,
    catalog.modules,
  )
  const schemaProblems = [...sectionProblems, ...productProblems(value, tree, validPaths(sectionProblems))]
  const hasInvalidPart = pathsWithInvalidPart(schemaProblems)
  const validSections = (entry: LoadedModule) =>
    Object.fromEntries(
      Object.entries(sectionsOf(entry, value)).filter(
        ([name]) => validPaths(schemaProblems)([name]) && !hasInvalidPart([name]),
      ),
    )
  const loaded = { ...found, modules: withDeclarations(found.modules, value, validSections) }
  const compatibility = await checkCompatibility(loaded, tree, catalog.modules)
  const context: CheckContext = {
    tree,
    services: loaded.services,
    modules: compatibility.modules,
    // What a module declares is unknown if the section that it is made from is invalid.
    complete:
      loaded.problems.length + loaded.failed.length === 0 &&
      found.modules.every(
        entry =>
          entry.module.declare === undefined ||
          Object.keys(validSections(entry)).length === Object.keys(sectionsOf(entry, value)).length,
      ),
    isValid: validPaths(schemaProblems),
    hasInvalidPart,
  }
  // A value that could not be read is reported once.
  const reported = new Set(source.problems.map(locationKey))
  const problems = [
    ...source.problems,
    ...[...loaded.problems, ...schemaProblems, ...compatibility.problems].filter(
      problem => !reported.has(locationKey(problem)),
    ),
    ...roleProblems(value, context),
    ...(context.isValid(['roles']) ? extensionProblems(value, context) : []),
    ...endpointProblems(value, context),
    ...actionProblems(context),
    ...literalSecrets(tree),
    // Files that could not be read may contain values that `validate` would report as missing.
    ...(source.broken ? [] : validationProblems(value, source, context)),
  ]
  if (problems.some(({ severity }) => strict || severity === 'error')) throw new RecipeError(problems, files)
  value.roles = withExtendedPermissions(value.roles, compatibility.modules)
  const checked = toChecked(source, tree, value, loaded.services, compatibility.modules, compatibility.failed)
  return { ...checked, files, warnings: sortDiagnostics(problems, files) }
}

/** Checks that schemas can't express: invalid public URLs such as `http://localhost:80800`, unavailable default locales. */
function productProblems(value: RecipeValue, tree: MapTree, isValid: (path: Path) => boolean): Diagnostic[] {
  const problems: Diagnostic[] = []
  const report = (path: Path, message: string, hint: string) =>
    problems.push(diagnosticAt('invalid_value', valueLocation(tree, path), path, message, hint))
  const url: string | undefined = value.product?.publicUrl
  // `PORT=0` takes a free port.
  if (isValid(['product', 'publicUrl']) && url !== undefined && !parseUrl(url.replace(/:0(?=\/?$)/, '')))
    report(['product', 'publicUrl'], `"${url}" is not a valid URL`, 'Use a URL such as https://acme.example')
  if (isValid(['locales', 'default']) && isValid(['locales', 'available'])) {
    const { default: standard, available } = value.locales
    if (!available.includes(standard))
      report(
        ['locales', 'default'],
        `"${standard}" is not in locales.available`,
        `Write available: [${[standard, ...available].join(', ')}]`,
      )
  }
  return problems
}

const locationKey = ({ file, line, column }: Diagnostic): string => `${file}:${line}:${column}`

/** Returns a test for values that match their schema, as do all values that contain them. */
function validPaths(problems: readonly Diagnostic[]): (path: Path) => boolean {
  const invalid = new Set(problems.map(({ path }) => path))
  return path => !path.some((_, index) => invalid.has(dotted(path.slice(0, index + 1))))
}

const pathsWithInvalidPart =
  (problems: readonly Diagnostic[]) =>
  (path: Path): boolean => {
    const prefix = dotted(path)
    return problems.some(problem => problem.path.startsWith(`${prefix}.`) || problem.path.startsWith(`${prefix}[`))
  }

function toChecked(
  { file }: RecipeSource,
  tree: MapTree,
  value: RecipeValue,
  services: readonly LoadedModule[],
  modules: readonly LoadedModule[],
  failed: readonly FailedModule[],
): Omit<CheckedRecipe, 'files' | 'warnings'> {
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
    problemOf: problem => wiringDiagnostic(problem, services, tree),
    value,
    fromEnv: new Set(fromEnvironment(tree)),
  }
}

const sectionsOf = ({ module }: LoadedModule, value: RecipeValue): Record<string, unknown> =>
  Object.fromEntries(Object.keys(module.sections ?? {}).flatMap(name => (name in value ? [[name, value[name]]] : [])))
