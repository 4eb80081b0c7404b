/** Areas of the console: a module with its screens, or one collection. Pure. */
import { type DeclaredModule, isRecord } from '@larder-dev/larder/kernel'
import type { ConsoleOptions } from '../options.ts'

type Modules = readonly DeclaredModule[]

/** The area of the rows of all collections. */
const COLLECTIONS = 'collections'

const hasScreens = ({ module }: DeclaredModule): boolean => 'resources' in module || 'screens' in module

/** What a recipe can name, except for its own collections. */
export const declaredAreas = (modules: Modules): readonly string[] => [
  ...modules.filter(hasScreens).map(({ key }) => key),
  ...collectionsOf(modules),
]

/** The collections that modules declare. */
export const collectionsOf = (modules: Modules): string[] =>
  modules.flatMap(({ module }) => collectionNames(Reflect.get(module, 'collections')))

/** Groups of the navigation that a recipe can order, in the order that they have by default. The platform is last. */
const GROUPS = ['collections', 'people', 'content', 'money', 'messages', 'product']

/** What a recipe can name in `sidebar`. Every module of the product itself can have a group of its own. */
export const declaredGroups = (modules: Modules): readonly string[] => [
  ...GROUPS,
  ...modules.filter(module => module.source !== 'larder' && hasScreens(module)).map(({ key }) => key),
]

/** A definition may be written in JavaScript, and is checked elsewhere. */
const collectionNames = (collections: unknown): string[] =>
  (Array.isArray(collections) ? collections : []).flatMap(collection =>
    isRecord(collection) && typeof collection.name === 'string' ? [collection.name] : [],
  )

/** The areas that people of other workspaces than the operator's get; null for all. */
export function customerAreas({ customers }: ConsoleOptions, modules: Modules): readonly string[] | null {
  if (customers === 'all') return null
  return customers ?? [COLLECTIONS, ...modules.filter(({ source }) => source !== 'larder').map(({ key }) => key)]
}
