/** The collections that modules declare with `defineCollection`, and all collections of the product. */
import { fileURLToPath } from 'node:url'
import { type ActionModule, type Deps, isRecord, type RecipeView } from '@larder-dev/larder/kernel'
import type { Collections } from '../domain/declarations/collection.ts'
import type { DeclaredCollection } from '../domain/declarations/declaration.ts'
import { normalize, normalizeAll } from '../domain/declarations/normalize.ts'
import { COLLECTION_NAME_PATTERN, MAX_NAME_LENGTH } from '../domain/declarations/reserved.ts'
import { compileJsonSchema } from '../domain/fields/json-schema.ts'
import { CollectionSchema, type Sections } from './sections.ts'

/** A collection of a module whose shape is valid. */
export interface ModuleCollection {
  readonly module: string
  readonly name: string
  readonly declared: DeclaredCollection
}
/** A mistake that prevents a collection of a module from being read. */
export interface ModuleCollectionFault {
  readonly module: string
  /** A complete sentence without a full stop. */
  readonly message: string
  readonly hint?: string
}
interface Found {
  readonly collections: readonly ModuleCollection[]
  readonly faults: readonly ModuleCollectionFault[]
}
type Modules = readonly ActionModule[]
type Declared = Readonly<Record<string, DeclaredCollection>>
type ResolveFile = (path: readonly (string | number)[], file: string) => string

/** A recipe check reads the same definitions several times. */
const known = new WeakMap<object, Found>()

/** Reads the modules in their order. Never throws: a definition may be written in JavaScript. */
export function moduleCollections(modules: Modules): Found {
  const found = modules.map(({ key, module }) => {
    const list: unknown = Reflect.get(module, 'collections')
    if (module.role !== 'module' || list === undefined) return { collections: [], faults: [] }
    if (!Array.isArray(list))
      return { collections: [], faults: [{ module: key, message: `"collections" of module "${key}" is not a list` }] }
    const read = known.get(list) ?? readAll(key, list)
    known.set(list, read)
    return read
  })
  return { collections: found.flatMap(each => each.collections), faults: found.flatMap(each => each.faults) }
}

function readAll(module: string, list: readonly unknown[]): Found {
  const collections: ModuleCollection[] = []
  const faults: ModuleCollectionFault[] = []
  for (const [index, definition] of list.entries()) {
    if (!isRecord(definition) || typeof definition.name !== 'string') {
      const message = `Item ${index + 1} of "collections" of module "${module}" is not a collection`
      faults.push({ module, message, hint: 'Make it with defineCollection({ … })' })
      continue
    }
    const { name, seed, ...rest } = definition
    const declared = { ...rest, ...(seed !== undefined && { seed: seed instanceof URL ? fileURLToPath(seed) : seed }) }
    const mistakes = [...nameMistakes(definition.name), ...shapeMistakes(declared)]
    if (mistakes.length === 0)
      collections.push({ module, name: definition.name, declared: declared as unknown as DeclaredCollection })
    for (const mistake of mistakes)
      faults.push({ module, message: `${subjectOf(definition.name, module)}: ${mistake}` })
  }
  return { collections, faults }
}

/** `Collection "courses" of module "academy"` */
export const subjectOf = (name: string, module: string): string => `Collection "${name}" of module "${module}"`

function nameMistakes(name: string): string[] {
  if (name.length <= MAX_NAME_LENGTH && new RegExp(COLLECTION_NAME_PATTERN).test(name)) return []
  return [`the name must be lower case, such as course_tags, with at most ${MAX_NAME_LENGTH} characters`]
}

let checkShape: ReturnType<typeof compileJsonSchema> | undefined

function shapeMistakes(declared: unknown): string[] {
  checkShape ??= compileJsonSchema(CollectionSchema as unknown as Readonly<Record<string, unknown>>)
  return checkShape(declared).map(({ pointer, detail }) => `${pointer.slice(1).replaceAll('/', '.')} ${detail}`)
}

/** Every collection of the product. The first one of a name counts; the recipe check reports the others. */
export function allCollections(declared: Declared, modules: Modules, resolveFile: ResolveFile): Collections {
  const all = new Map(normalizeAll(declared, { from: 'recipe', resolveFile }))
  for (const { module, name, declared: own } of moduleCollections(modules).collections)
    if (!all.has(name)) all.set(name, normalize(name, own, { from: module, resolveFile: (_path, file) => file }))
  return all
}

/** Tells those whose rows a gauge counts by person, as in a product of people. Their tables have an index for it. */
export function withPersonalCounts(
  collections: Collections,
  { product, section }: Pick<RecipeView, 'product' | 'section'>,
): Collections {
  if (product.audience !== 'people') return collections
  const entitlements = section('entitlements')
  const isGauge = (key: string) => {
    const declared = isRecord(entitlements) ? entitlements[key] : undefined
    return isRecord(declared) && declared.kind === 'gauge'
  }
  return new Map(
    [...collections].map(([name, collection]) => [
      name,
      { ...collection, countsByPerson: collection.limit !== undefined && isGauge(collection.limit) },
    ]),
  )
}

/** All collections of the product: those of the recipe, and those that modules declare. */
export const createCollectionMap = (
  { registry }: Deps<'registry'>,
  _options: unknown,
  { sections: { collections = {} }, resolveFile }: RecipeView<Sections>,
): Collections => allCollections(collections, registry.declared(), resolveFile)
