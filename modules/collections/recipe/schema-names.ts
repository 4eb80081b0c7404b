/** Names of schemas in the API document: each name belongs to one module or collection. */
import { readFileSync } from 'node:fs'
import type { ValidatedRecipe } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../domain/collection.ts'
import type { Report } from './report.ts'

type Modules = ValidatedRecipe['modules']

/** Names that the routes of shipped modules use, by module. `kernel` is part of every product. */
const NAMES_FILE = new URL('schema-names.json', import.meta.url)
const ALWAYS_LOADED = ['kernel']

/** The names of the schemas that the routes of a collection use. */
function schemaNamesOf({ schemaName: name, trashMs, history }: Collection): readonly string[] {
  return [
    ...[name, `Create${name}`, `Update${name}`, `${name}Group`, `${name}List`, `Created${name}List`, `Batch${name}`],
    ...['Create', 'Update', 'Upsert', 'Delete'].map(action => `${action}${name}Operation`),
    ...(trashMs > 0 ? [`Deleted${name}`, `Deleted${name}List`] : []),
    ...(history > 0 ? [`${name}Version`, `${name}VersionList`] : []),
  ]
}

/** Reports collections whose schemas have the name of another schema. */
export function validateSchemaNames(collections: Collections, modules: Modules, report: Report): void {
  const owners = namesOfModules(modules)
  for (const collection of collections.values()) {
    const taken = schemaNamesOf(collection).find(name => owners.has(name))
    if (taken !== undefined)
      report(
        [collection.name],
        'schema_name_taken',
        `The API schema "${taken}" of collection "${collection.name}" already belongs to ${owners.get(taken)}`,
        `Rename the collection, for example "product_${collection.name}"`,
        'key',
      )
    for (const name of schemaNamesOf(collection)) owners.set(name, `collection "${collection.name}"`)
  }
}

function namesOfModules(modules: Modules): Map<string, string> {
  const names = JSON.parse(readFileSync(NAMES_FILE, 'utf8')) as Readonly<Record<string, readonly string[]>>
  const loaded = [...ALWAYS_LOADED, ...modules.filter(({ source }) => source === 'larder').map(({ key }) => key)]
  return new Map(loaded.flatMap(key => (names[key] ?? []).map(name => [name, ownerOf(key)] as const)))
}

const ownerOf = (module: string): string => (module === 'kernel' ? 'the HTTP service' : `module "${module}"`)
