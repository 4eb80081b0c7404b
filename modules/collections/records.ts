/** Rows about collections, beside those of collections. */
import { Bytes, Nullable, Time, Timestamp, Type, table } from '@larder-dev/larder/kernel'
import type { Expansion } from './domain/changes/expansion.ts'
import type { Retired } from './domain/changes/schema-plan.ts'
import type { ImportFormat, ImportOptions, ImportState } from './domain/imports/import-record.ts'
import type { StoredCaller, StoredFailure } from './domain/rights/stored-caller.ts'

const word = <Word extends string>() => Type.Unsafe<Word>({ type: 'string' })

export const importTable = table(
  'collections_imports',
  Type.Object({
    id: Type.String(),
    collection: Type.String(),
    state: word<ImportState>(),
    format: word<ImportFormat>(),
    by: Nullable(Type.String()),
    onError: word<ImportOptions['onError']>(),
    dryRun: Type.Boolean(),
    caller: Type.Unsafe<StoredCaller>({ type: 'object' }),
    createdBy: Type.String(),
    totalRows: Type.Integer(),
    checkedRows: Type.Integer(),
    nextRow: Type.Integer(),
    createdRows: Type.Integer(),
    updatedRows: Type.Integer(),
    failedRows: Type.Integer(),
    failure: Nullable(Type.Unsafe<StoredFailure>({ type: 'object' })),
    createdAt: Time,
    finishedAt: Nullable(Time),
  }),
  {
    what: 'import',
    columns: { by: 'by_field' },
    defaults: { totalRows: 0, checkedRows: 0, nextRow: 0, createdRows: 0, updatedRows: 0, failedRows: 0 },
    hidden: {
      tenantId: Type.String(),
      /** The key of the request that uploaded the file. */
      idempotencyKey: Nullable(Type.String()),
      /** Digest of the file. */
      digest: Nullable(Type.String()),
    },
  },
)

/** The rows of an import until they are written. */
export const importBatchTable = table(
  'collections_import_batches',
  Type.Object({
    importId: Type.String(),
    /** Counted from 0. */
    firstRow: Type.Integer(),
    rowCount: Type.Integer(),
    /** A list as JSON, in gzip. */
    rows: Bytes,
  }),
  { what: 'batch', key: 'firstRow', hidden: { tenantId: Type.String() } },
)

/** Steps that prepare the columns of a change, and how far they are. */
export const expansionTable = table(
  'collections_expansions',
  Type.Object({
    collection: Type.String(),
    field: Type.String(),
    kind: Type.String(),
    expansion: Type.Unsafe<Expansion>({ type: 'object' }),
    complete: Type.Boolean(),
    since: Time,
    /** The last row that was filled. */
    lastTenant: Type.String(),
    lastId: Type.String(),
    filled: Type.Integer(),
  }),
  { what: 'expansion', key: 'field', defaults: { complete: false, lastTenant: '', lastId: '', filled: 0 } },
)

/** Collections and fields that left the recipe, whose data is kept for some time. */
export const retiredTable = table(
  'collections_retired',
  Type.Object({
    collection: Type.String(),
    /** Null for the collection. */
    field: Nullable(Type.String()),
    tableName: Type.String(),
    columnName: Nullable(Type.String()),
    layout: Type.Unsafe<Retired['layout']>({ type: 'object' }),
    tables: Type.Unsafe<Retired['tables']>({ type: 'object' }),
    retiredAt: Time,
  }),
  { what: 'retired collection', key: 'tableName' },
)

/** Solutions that visitors have used, until their challenges expire. */
export const usedProofTable = table(
  'collections_used_proofs',
  Type.Object({ signature: Type.String(), expiresAt: Timestamp }),
  { what: 'challenge', key: 'signature' },
)
