/** Validates the recipe's own keys, and the options and sections of services and modules. */

import type { TSchema } from 'typebox'
import { isRecord, nearest, Type } from '../base/index.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { Loaded, LoadedModule } from './load.ts'
import { RecipeShape, type RecipeValue, UsedModuleShape } from './shape.ts'
import { keyLocation, type MapTree, type Path } from './tree.ts'
import type { SectionValidator } from './validate-section.ts'

type Fields = Record<string, unknown>

/** Schema of the options of a module that declares none. */
export const NO_OPTIONS = Type.Object({}, { additionalProperties: false })

/** Defaults are written into `value`. */
export function validateSections(
  validate: SectionValidator,
  value: RecipeValue,
  tree: MapTree,
  loaded: Loaded,
): Diagnostic[] {
  const sections = definitionsOf(loaded).flatMap(({ module }) => Object.entries(module.sections ?? {}))
  fillSections(value, sections)
  const frame = validate(withSections(sections.map(([name]) => name)), value, tree, [])
  if (isRecord(value.modules)) prefill(value.modules, loaded.modules, loaded.used)
  if (isRecord(value.services)) prefill(value.services, loaded.services, replaced(loaded))
  return [
    ...frame.filter(problem => !mayBelongToFailed(problem, loaded, sections)),
    ...loaded.used.flatMap(key => validate(UsedModuleShape, value.modules[key], tree, ['modules', key])),
    ...replaced(loaded).flatMap(key => validate(UsedModuleShape, value.services[key], tree, ['services', key])),
    ...definitionsOf(loaded).flatMap(entry => moduleProblems(validate, value, tree, entry)),
  ]
}

const definitionsOf = ({ services, modules }: Loaded): readonly LoadedModule[] => [...services, ...modules]

/** Keys of the services that the recipe replaces. */
const replaced = ({ services }: Loaded): string[] =>
  services.flatMap(({ key, path }) => (path.length === 3 ? [key] : []))

/** A section whose schema has a default exists in every recipe. */
function fillSections(value: RecipeValue, sections: readonly [string, TSchema][]): void {
  for (const [name, schema] of sections) {
    const standard: unknown = Reflect.get(schema, 'default')
    if (standard !== undefined && (value as Fields)[name] === undefined)
      (value as Fields)[name] = structuredClone(standard)
  }
}

const frames = new Map<string, TSchema>()

/** The same object for the same names, because a schema is compiled once. */
function withSections(names: readonly string[]): TSchema {
  const added = names.filter(name => !(name in RecipeShape.properties))
  const key = added.join()
  const sections = Object.fromEntries(added.map(name => [name, Type.Optional(Type.Unknown())]))
  const frame =
    frames.get(key) ?? Type.Object({ ...RecipeShape.properties, ...sections }, { additionalProperties: false })
  frames.set(key, frame)
  return frame
}

/** An unknown key may be a section of a module that could not be loaded. */
function mayBelongToFailed(
  { path, code }: Diagnostic,
  { problems, failed }: Loaded,
  known: readonly [string, unknown][],
) {
  const incomplete = problems.length + failed.length > 0
  const unknown = code === 'unknown_key' && path !== '' && !path.includes('.')
  return (
    incomplete && unknown && !nearest(path, [...Object.keys(RecipeShape.properties), ...known.map(([name]) => name)])
  )
}

/** `forms:` without a value means `forms: {}`. */
function prefill(modules: Fields, loaded: readonly LoadedModule[], used: readonly string[]): void {
  for (const { key, path } of loaded) {
    if (!used.includes(key)) modules[key] ??= {}
    else if (isRecord(modules[key]) && path.length === 3) modules[key].options ??= {}
  }
}

function moduleProblems(
  validate: SectionValidator,
  value: RecipeValue,
  tree: MapTree,
  { key, module, path }: LoadedModule,
): Diagnostic[] {
  const invalid = (message: string, hint?: string) => [
    diagnosticAt('invalid_schema', keyLocation(tree, path.slice(0, 2)), path.slice(0, 2), message, hint),
  ]
  const validateOwn = (schema: TSchema, found: unknown, where: Path): Diagnostic[] => {
    try {
      return validate(schema, found, tree, where)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return invalid(`Invalid schema in ${module.role} "${key}": ${reason}`)
    }
  }
  const options = path.reduce<unknown>((found, step) => (isRecord(found) ? found[step] : undefined), value)
  return [
    ...(options === undefined ? [] : validateOwn((module.options ?? NO_OPTIONS) as TSchema, options, path)),
    ...Object.entries(module.sections ?? {}).flatMap(([name, schema]) => {
      if (name in RecipeShape.properties)
        return invalid(`Module "${key}" declares the reserved section "${name}"`, 'Rename the section in the module')
      return name in value ? validateOwn(schema, value[name], [name]) : []
    }),
  ]
}
