/** Calls `validate` of services and modules. */
import { dirname } from 'node:path'
import { once } from '../base/index.ts'
import type { PageDataCheck, RecipeDiagnostic, ValidatedRecipe } from '../contract/index.ts'
import type { CheckContext } from './check-context.ts'
import { audienceOf } from './declarations.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { declaredEndpoints } from './endpoints.ts'
import type { LoadedModule } from './load.ts'
import { type RecipeSource, SHIPPED_FOLDER } from './read.ts'
import type { RecipeValue } from './shape.ts'
import { at, fileResolver, keyLocation, type Path, valueLocation } from './tree.ts'

/** Modules are called only if their options and sections match their schemas; services check `isValid` themselves. */
export function validationProblems(value: RecipeValue, source: RecipeSource, context: CheckContext): Diagnostic[] {
  const pages = once(() => declaredEndpoints(context.modules, value, context.tree, ['pages', 'rawRoutes']))
  const common = ['locales', 'product'].every(name => context.isValid([name]) && isEntirelyValid(context, [name]))
  return [
    ...context.services.flatMap(entry => callValidate(value, source, context, pages, entry)),
    ...context.modules.flatMap(entry =>
      common && isValidModule(context, entry) ? callValidate(value, source, context, pages, entry) : [],
    ),
  ]
}

const isValidModule = (context: CheckContext, { key, module }: LoadedModule): boolean =>
  [['modules', key], ...Object.keys(module.sections ?? {}).map(name => [name])].every(path =>
    isEntirelyValid(context, path),
  )

const isEntirelyValid = ({ isValid, hasInvalidPart }: CheckContext, path: Path): boolean =>
  isValid(path) && !hasInvalidPart(path)

const validRoles = ({ roles }: RecipeValue, { isValid }: CheckContext): RecipeValue['roles'] =>
  isValid(['roles']) ? Object.fromEntries(Object.entries(roles).filter(([key]) => isValid(['roles', key]))) : {}

function pageDataCheck(value: RecipeValue, context: CheckContext): PageDataCheck | undefined {
  const owner = context.modules.find(({ module }) => module.pageDataCheck)?.module
  if (!owner) return undefined
  const names = Object.keys(owner.sections ?? {}).filter(name => isEntirelyValid(context, [name]))
  const sections = Object.fromEntries(names.map(name => [name, value[name]]))
  return owner.pageDataCheck?.({ sections, modules: context.modules } as never)
}

function callValidate(
  value: RecipeValue,
  { file, env, own }: RecipeSource,
  context: CheckContext,
  pages: ValidatedRecipe['pages'],
  { module, path }: LoadedModule,
): Diagnostic[] {
  if (!module.validate) return []
  const { tree, modules, services, complete, isValid } = context
  const names = Object.keys(module.sections ?? {})
  const recipe: ValidatedRecipe = {
    options: path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)?.[step], value),
    sections: Object.fromEntries(names.flatMap(name => (name in value ? [[name, value[name]]] : []))),
    folder: dirname(file),
    env,
    locales: value.locales,
    publicUrl: isValid(['product', 'publicUrl']) ? (value.product?.publicUrl ?? '').replace(/\/+$/, '') : '',
    audience: audienceOf(value),
    modules,
    services,
    roles: validRoles(value, context),
    complete,
    isValid,
    isEntirelyValid: path => isEntirelyValid(context, path),
    section: name => (isValid([name]) ? value[name] : undefined),
    isOwn: path => at(own, path) !== undefined,
    pages,
    pageData: () => pageDataCheck(value, context),
    resolveFile: fileResolver(tree),
  }
  const faults: readonly RecipeDiagnostic[] = module.validate(recipe as never)
  return faults.flatMap(
    ({ path, message, hint, at: pointsAt, place, ownFilesOnly, code = 'rule_violated', severity }) => {
      const location = place ?? (pointsAt === 'key' ? keyLocation : valueLocation)(tree, path)
      if (ownFilesOnly && location.file.startsWith(SHIPPED_FOLDER)) return []
      return diagnosticAt(code, location, path, message, hint, severity)
    },
  )
}
