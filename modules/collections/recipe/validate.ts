/** Reports what the schema of `collections` can't express. */
import type { RecipeDiagnostic, ValidatedRecipe } from 'larder/kernel'
import type { Collections } from '../domain/collection.ts'
import type { DeclaredCollection } from '../domain/declaration.ts'
import { normalizeAll } from '../domain/normalize.ts'
import { validateCollection } from './collection-validation.ts'
import { validateReferences } from './reference-validation.ts'
import type { Report } from './report.ts'
import { validateSchemaNames } from './schema-names.ts'
import type { Sections } from './sections.ts'

type Recipe = Pick<
  ValidatedRecipe<unknown, Sections>,
  'sections' | 'modules' | 'complete' | 'roles' | 'section' | 'isValid' | 'resolveFile'
>

export function validate(recipe: Recipe): readonly RecipeDiagnostic[] {
  return validateDeclarations(recipe.sections.collections ?? {}, recipe)
}

function validateDeclarations(
  declarations: Readonly<Record<string, DeclaredCollection>>,
  recipe: Recipe,
): RecipeDiagnostic[] {
  const faults: RecipeDiagnostic[] = []
  const collections = normalizeAll(declarations, { from: 'recipe', resolveFile: recipe.resolveFile })
  const report: Report = (path, code, message, hint, at) =>
    void faults.push({ path: ['collections', ...path], code, message, ...(hint && { hint }), ...(at && { at }) })
  const known = { collections, roles: tenantRoles(recipe), entitlements: entitlementKinds(recipe) }
  for (const [name, declared] of Object.entries(declarations)) validateCollection(name, declared, known, report)
  validateReferences(collections, report)
  if (!reportDuplicates(collections, report)) validateSchemaNames(collections, recipe.modules, report)
  return faults
}

/** Roles of the recipe and its modules; undefined if a module could not be loaded. */
function tenantRoles({ roles, modules, complete }: Recipe): readonly string[] | undefined {
  if (!complete) return undefined
  const declared = modules.flatMap(({ module }) => Object.keys(module.roles ?? {}))
  return [...BUILT_IN_ROLES, ...declared, ...Object.keys(roles)].filter(role => role.startsWith('tenant.'))
}
const BUILT_IN_ROLES = ['tenant.owner', 'tenant.member']

/** Undefined if the entitlements of the recipe are not known. */
function entitlementKinds({ section, isValid, modules, complete }: Recipe): ReadonlyMap<string, string> | undefined {
  const isDeclared = modules.some(({ module }) => 'entitlements' in (module.sections ?? {}))
  if (!complete || !isValid(['entitlements'])) return undefined
  if (!isDeclared) return new Map()
  const entitlements = (section('entitlements') ?? {}) as Readonly<Record<string, { kind: string }>>
  return new Map(Object.entries(entitlements).map(([key, { kind }]) => [key, kind]))
}

/** Returns whether it found any. Two collections can't have the same schema name in the API document, which also means the same prefix of ids. */
function reportDuplicates(collections: Collections, report: Report): boolean {
  const bySchema = new Map<string, string>()
  let found = false
  for (const { name, schemaName } of collections.values()) {
    const other = bySchema.get(schemaName)
    if (other !== undefined) {
      found = true
      report(
        [name],
        'duplicate_name',
        `Collections "${other}" and "${name}" have the same singular`,
        'Rename one',
        'key',
      )
    }
    bySchema.set(schemaName, name)
  }
  return found
}
