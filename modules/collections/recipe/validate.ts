/** Reports what the schema of `collections` can't express. */
import { bytes, didYouMean, type RecipeDiagnostic, SIZE_PATTERN, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { schemaNames, singularName } from '../domain/declarations/api-names.ts'
import type { Collection, Collections, Field } from '../domain/declarations/collection.ts'
import type { DeclaredProfile } from '../domain/declarations/declaration.ts'
import { normalize, normalizeField } from '../domain/declarations/normalize.ts'
import { eventStateFields } from '../domain/fields/field-lists.ts'
import { reachedStates, stateEvents } from '../domain/fields/states.ts'
import type { CollectionsOptions } from '../options.ts'
import { validateCollection, warnOfRoles } from './collection-validation.ts'
import { validateField } from './field-validation.ts'
import {
  allCollections,
  type ModuleCollection,
  type ModuleCollectionFault,
  moduleCollections,
  subjectOf,
} from './module-collections.ts'
import { validateReferences } from './reference-validation.ts'
import type { FileLimits, Path, Report } from './report.ts'
import type { Sections } from './sections.ts'
import { validateSeeds } from './seed-validation.ts'
import { unreachable } from './state-validation.ts'

type Recipe = Pick<
  ValidatedRecipe<CollectionsOptions, Sections>,
  | 'options'
  | 'sections'
  | 'modules'
  | 'audience'
  | 'complete'
  | 'roles'
  | 'section'
  | 'isOwn'
  | 'isValid'
  | 'isEntirelyValid'
  | 'resolveFile'
>

export function validate(recipe: Recipe): readonly RecipeDiagnostic[] {
  const faults: RecipeDiagnostic[] = []
  const declared = recipe.sections.collections ?? {}
  const collections = allCollections(declared, recipe.modules, recipe.resolveFile)
  const warnings: RecipeDiagnostic[] = []
  const reportTo =
    (found: RecipeDiagnostic[], severity?: RecipeDiagnostic['severity']): Report =>
    (path, code, message, hint, at, place) => {
      const { name = '', from = 'recipe' } = collections.get(String(path[0])) ?? {}
      const own = { path: ['collections', ...path], message, ...(at && { at }) }
      found.push({
        ...(from === 'recipe' ? own : inModule(from, name, path, message)),
        code,
        ...(severity && { severity }),
        ...(hint && { hint }),
        ...(place && { place }),
      })
    }
  const report = reportTo(faults)
  const known = {
    collections,
    roles: tenantRoles(recipe),
    entitlements: entitlementKinds(recipe),
    hasPlans: recipe.complete ? declares(recipe, 'plans') : undefined,
    plans: planKeys(recipe),
    profile: userProfile(recipe),
    files: fileLimits(recipe),
  }
  validateProfile(recipe.sections.profile ?? {}, recipe.resolveFile, faults)
  for (const [name, own] of Object.entries(declared)) validateCollection(name, own, known, report)
  const ofModules = moduleCollections(recipe.modules)
  for (const { name, module, declared: own } of ofModules.collections)
    if (collections.get(name)?.from === module) validateCollection(name, own, known, report)
  validateReferences(collections, report)
  // A row is checked against sound fields only.
  if (faults.length === 0) {
    const declarations = new Map(ofModules.collections.map(each => [each.name, each.declared]))
    validateSeeds(collections, name => declared[name] ?? declarations.get(name), report)
  }
  reportDuplicates(collections, report)
  reportShared(recipe, collections, report)
  reportStateNames(collections, report)
  for (const collection of collections.values()) {
    warnOfRoles(collection, reportTo(warnings, 'warning'))
    warnOfStates(collection, reportTo(warnings, 'warning'))
  }
  return [
    ...faults,
    ...warnings,
    ...moduleFaults(ofModules.faults),
    ...misplaced(ofModules.collections, collections, recipe),
    ...proofFaults(recipe, collections),
  ]
}

/** In a product of people, all rows belong to the operator's workspace. A recipe that it extends may have shared ones. */
function reportShared({ audience, isOwn }: Recipe, collections: Collections, report: Report): void {
  if (audience !== 'people') return
  for (const { name, scope } of collections.values())
    if (scope === 'shared' && isOwn(['collections', name, 'scope']))
      report(
        [name, 'scope'],
        'invalid_option',
        "A product of people has one workspace, the operator's, and all rows belong to it",
        'Remove this line, and name the role of customers in access',
      )
}

/** Reports collections that ask visitors for a proof of work, although visitors create no rows of them. */
function proofFaults({ options: { guestProof }, isValid }: Recipe, collections: Collections): RecipeDiagnostic[] {
  const path = ['modules', 'collections', 'guestProof']
  if (!guestProof || !isValid(path)) return []
  const open = [...collections.values()].filter(({ access }) => access.guests !== undefined)
  const hint = 'Add create: { anyone: true } to the access of a collection, or remove this'
  if (!guestProof.collections)
    return open.length > 0
      ? []
      : [{ path, at: 'key', code: 'invalid_option', message: 'Visitors create rows of no collection', hint }]
  return guestProof.collections.flatMap((name, at): RecipeDiagnostic[] => {
    const place = [...path, 'collections', at]
    const found = collections.get(name)
    if (!found) {
      const suggested = didYouMean(name, [...collections.keys()])
      return [
        {
          path: place,
          code: 'unknown_collection',
          message: `Unknown collection "${name}"`,
          ...(suggested && { hint: suggested }),
        },
      ]
    }
    if (found.access.guests) return []
    return [{ path: place, code: 'invalid_option', message: `Visitors create no rows of "${name}"`, hint }]
  })
}

/** Checks the fields like those of a collection. */
function validateProfile(
  profile: DeclaredProfile,
  resolveFile: Recipe['resolveFile'],
  faults: RecipeDiagnostic[],
): void {
  const report: Report = (path, code, message, hint, at) =>
    faults.push({ path: ['profile', ...path], code, message, ...(hint && { hint }), ...(at && { at }) })
  const known = {
    collections: new Map(),
    roles: undefined,
    hasPlans: undefined,
    plans: undefined,
    profile: undefined,
    entitlements: undefined,
    files: undefined,
  }
  for (const [name, declared] of Object.entries(profile)) {
    const collection = normalize(name, declared, { from: 'recipe', resolveFile })
    for (const field of collection.fields.values()) validateField(field, declared, collection, known, report)
  }
}

/** A mistake in the code of a module has no line in the recipe: it is reported at the module. */
const inModule = (
  module: string,
  name: string,
  path: Path,
  message: string,
): Pick<RecipeDiagnostic, 'path' | 'message'> => ({
  path: ['modules', module],
  message: `${subjectOf(name, module)}${path.length > 1 ? `, ${path.slice(1).join('.')}` : ''}: ${message}`,
})

const moduleFaults = (faults: readonly ModuleCollectionFault[]): RecipeDiagnostic[] =>
  faults.map(({ module, message, hint }) => ({
    path: ['modules', module],
    code: 'invalid_collection',
    message,
    ...(hint && { hint }),
  }))

/** Reports names that are declared twice, and modules whose collections would come and go. */
function misplaced(
  declared: readonly ModuleCollection[],
  collections: Collections,
  { section, modules }: Recipe,
): RecipeDiagnostic[] {
  const seen = new Set<string>()
  const doubles = declared.flatMap(({ name, module }): RecipeDiagnostic[] => {
    const { from = '' } = collections.get(name) ?? {}
    const isFirst = from === module && !seen.has(name)
    seen.add(name)
    if (isFirst) return []
    const [path, at] = from === 'recipe' ? [['collections', name], 'key' as const] : [['modules', module], undefined]
    const other = from === 'recipe' ? 'the recipe' : `module "${from}"`
    const message = `Collection "${name}" is declared by ${other} and by module "${module}"`
    return [{ path, ...(at && { at }), code: 'duplicate_name', message, hint: 'Rename one of them' }]
  })
  const options = (section('modules') ?? {}) as Readonly<Record<string, { readonly optional?: boolean } | undefined>>
  const faults = [...new Set(declared.map(({ module }) => module))].flatMap((key): RecipeDiagnostic[] => {
    const needs = modules.find(module => module.key === key)?.module.needs ?? []
    return [
      ...(options[key]?.optional === true ? [optionalFault(key)] : []),
      ...(needs.includes('collections') ? [] : [needsFault(key)]),
    ]
  })
  return [...doubles, ...faults]
}
const optionalFault = (key: string): RecipeDiagnostic => ({
  path: ['modules', key, 'optional'],
  code: 'invalid_option',
  message: `Module "${key}" declares collections, so it cannot be optional: their tables would be retired without it`,
  hint: 'Remove optional',
})
const needsFault = (key: string): RecipeDiagnostic => ({
  path: ['modules', key],
  code: 'missing_port',
  message: `Module "${key}" declares collections, but does not need port "collections"`,
  hint: "Add 'collections' to its needs",
})

/** The limits in the options `allow` and `maxBytes` of the module that stores files. */
function fileLimits({ modules, complete, section, isEntirelyValid }: Recipe): FileLimits | undefined {
  const key = modules.find(({ module }) => 'mediaItems' in (module.provides ?? {}))?.key
  if (key === undefined) return complete ? undefined : {}
  if (!isEntirelyValid(['modules', key])) return {}
  const { allow, maxBytes } = (section('modules') as Readonly<Record<string, Options | undefined>>)[key] ?? {}
  const isSize = typeof maxBytes === 'string' && new RegExp(SIZE_PATTERN).test(maxBytes)
  return { types: Array.isArray(allow) ? allow : undefined, maxBytes: isSize ? bytes(maxBytes) : undefined }
}
type Options = Readonly<Record<'allow' | 'maxBytes', unknown>>

/** Roles of the recipe and its modules; undefined if a module could not be loaded. */
function tenantRoles({ roles, modules, complete }: Recipe): readonly string[] | undefined {
  if (!complete) return undefined
  const declared = modules.flatMap(({ module }) => Object.keys(module.roles ?? {}))
  return [...declared, ...Object.keys(roles)].filter(role => role.startsWith('tenant.'))
}

const declares = ({ modules }: Recipe, section: string): boolean =>
  modules.some(({ module }) => section in (module.sections ?? {}))

/** Undefined for a recipe whose plans are not known, or without plans, which has one that a module names. */
const planKeys = ({ section, isValid }: Recipe): readonly string[] | undefined =>
  isValid(['plans']) && section('plans') !== undefined ? Object.keys(section('plans') as object) : undefined

const userProfile = ({ sections: { profile } }: Recipe): ReadonlyMap<string, Field> | undefined =>
  profile?.user &&
  new Map(Object.entries(profile.user.fields).map(([name, field]) => [name, normalizeField(name, field)]))

/** Undefined if the entitlements of the recipe are not known. */
function entitlementKinds(recipe: Recipe): ReadonlyMap<string, string> | undefined {
  const { section, isValid, complete } = recipe
  if (!complete || !isValid(['entitlements'])) return undefined
  if (!declares(recipe, 'entitlements')) return new Map()
  const entitlements = (section('entitlements') ?? {}) as Readonly<Record<string, { kind: string }>>
  return new Map(Object.entries(entitlements).map(([key, { kind }]) => [key, kind]))
}

/** States that no row can have. */
function warnOfStates({ name, fields }: Collection, warn: Report): void {
  for (const field of fields.values())
    for (const value of unreachable(field))
      warn(
        [name, 'fields', field.name, 'values', field.values?.indexOf(value) ?? 0],
        'unreachable_state',
        `No row can become ${value}`,
        'Name it under initial, or in the list of a value under transitions',
      )
}

/** Reports states whose events have the same name in the API document. */
function reportStateNames(collections: Collections, report: Report): void {
  const seen = new Map<string, string>()
  for (const collection of collections.values())
    for (const field of eventStateFields(collection))
      for (const [state, { name: called, event }] of reachedStates(field).flatMap(state =>
        stateEvents(collection, field, state).map(each => [state, each] as const),
      )) {
        const name = schemaNames(collection).stateEvent(called, state)
        const other = seen.get(name)
        if (other !== undefined)
          report(
            [collection.name, 'fields', field.name, 'transitions'],
            'duplicate_name',
            `The events ${other} and ${event} have the same name in the API document`,
            'Rename the field or the value',
            'key',
          )
        seen.set(name, event)
      }
}

/** Reports collections with the same names in the API document, and so with the same prefix of ids. */
function reportDuplicates(collections: Collections, report: Report): void {
  const bySingular = new Map<string, string>()
  for (const { name } of collections.values()) {
    const singular = singularName({ name })
    const other = bySingular.get(singular)
    if (other !== undefined)
      report(
        [name],
        'duplicate_name',
        `Collections "${other}" and "${name}" have the same singular`,
        'Rename one',
        'key',
      )
    bySingular.set(singular, name)
  }
}
