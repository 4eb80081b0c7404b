/**
 * The names of a collection in the API document. `Data` ends the kind, and `Row` ends the collection, so that no two names
 * are equal, whatever collections and their fields are called: generators join the name of a schema and that of a property,
 * or the ID of an operation and `Body`. Pure.
 */
import { pascalCase, singular } from './naming.ts'

type Named = { readonly name: string }

/** `course_tags` → `CourseTag`. */
export const singularName = ({ name }: Named): string => pascalCase(singular(name))

/** Names of schemas by their purpose. Only those of `batch` are part of one another. */
export function schemaNames(collection: Named) {
  const row = `Data${singularName(collection)}Row`
  return {
    row,
    new: `New${row}`,
    change: `Changed${row}`,
    list: `ListOf${row}s`,
    newRows: `New${row}OrRows`,
    created: `Created${row}s`,
    /** What people who may not create rows otherwise get. */
    group: `GroupOf${row}s`,
    deleted: `Deleted${row}`,
    deletedList: `ListOfDeleted${row}s`,
    version: `VersionOf${row}`,
    versionList: `ListOfVersionsOf${row}`,
    batch: `BatchOf${row}s`,
    batchOperation: (action: string) => `Batch${pascalCase(action)}Of${row}`,
    event: (kind: string) => `${pascalCase(kind)}${row}Event`,
    stateEvent: (field: string, state: string) => `${pascalCase(field)}${pascalCase(state)}${row}Event`,
  } as const
}

/** IDs of operations: `listDataJobs`, `getDataJob`. */
export function operationIds(collection: Named) {
  const one = `Data${singularName(collection)}`
  const many = `Data${pascalCase(collection.name)}`
  return {
    list: `list${many}`,
    aggregate: `aggregate${many}`,
    get: `get${one}`,
    create: `create${one}`,
    update: `update${one}`,
    upsert: `upsert${one}`,
    delete: `delete${one}`,
    batch: `batch${many}`,
    listDeleted: `listDeleted${many}`,
    restore: `restore${one}`,
    listVersions: `listVersionsOf${one}`,
    restoreVersion: `restoreVersionOf${one}`,
    import: `import${many}`,
    listImports: `listImportsOf${many}`,
    getImport: `getImportOf${many}`,
    listImportErrors: `listImportErrorsOf${many}`,
    cancelImport: `cancelImportOf${many}`,
    export: `export${many}`,
    listExports: `listExportsOf${many}`,
    getExport: `getExportOf${many}`,
    downloadExport: `downloadExportOf${many}`,
    deleteExport: `deleteExportOf${many}`,
  } as const
}
