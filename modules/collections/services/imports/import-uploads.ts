/** Receives the file of an import, and stores its rows in batches. Holds one batch in memory. */
import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  common,
  type Deps,
  fieldError,
  isUniqueViolation,
  KIB,
  MIB,
  Problem,
  SECOND,
  withHeaders,
  wording,
} from '@larder-dev/larder/kernel'
import type { Collection } from '../../domain/declarations/collection.ts'
import { currentName } from '../../domain/declarations/former-names.ts'
import { AmountReader, type Amounts } from '../../domain/imports/amounts.ts'
import {
  type ColumnRules,
  type Columns,
  createObjectReader,
  isHeader,
  readColumns,
  rowFromCells,
} from '../../domain/imports/columns.ts'
import { type CsvRecord, csvRecords, MAX_TITLE_LINES } from '../../domain/imports/csv-rows.ts'
import type { ImportOptions, ImportRecord } from '../../domain/imports/import-record.ts'
import type { ImportedRow } from '../../domain/imports/imported-row.ts'
import { ndjsonRows } from '../../domain/imports/ndjson-rows.ts'
import { decodeText } from '../../domain/imports/text-decoding.ts'
import { withoutTotals } from '../../domain/imports/totals.ts'
import { badParameter } from '../../domain/queries/parameter-errors.ts'
import { storedCaller } from '../../domain/rights/stored-caller.ts'
import type { View } from '../../domain/rights/view.ts'
import { problems } from '../../problems.ts'
import { countedWith } from '../file-limits.ts'
import type { HookRunner } from '../row-hooks.ts'
import { assertMay } from '../write-access.ts'
import type { ImportReader } from './import-reader.ts'
import { BATCH_ROWS, type ImportStore, MAX_BATCH_LENGTH } from './import-store.ts'

const MAX_IMPORT_ROWS = 1_000_000
const MAX_IMPORT_BYTES = 512 * MIB
/** Upper bound of the imports of one workspace, or of one customer, that wait or run. */
const MAX_ACTIVE_IMPORTS = 10
const MIN_BYTES_PER_SECOND = 4 * KIB
const GRACE_MS = 15 * SECOND
const LIMITS = { rows: MAX_IMPORT_ROWS, bytes: MAX_IMPORT_BYTES, graceMs: GRACE_MS }

export interface ImportFile {
  readonly body: Readable
  readonly contentType: string
  readonly idempotencyKey: string | undefined
  /** Unit of columns of amounts whose names have no currency, in CSV; undefined if it must follow from the file. */
  readonly amounts?: Amounts | undefined
}
export interface ReceivedImport {
  readonly record: ImportRecord
  /** True for the import of an earlier request with the same key. */
  readonly isReplayed: boolean
}
export interface ImportUploads {
  /** Throws problems of the file as a whole. Errors of single rows are found by the job. */
  receive(
    view: View,
    collection: Collection,
    options: Omit<ImportOptions, 'collection'>,
    file: ImportFile,
  ): Promise<ReceivedImport>
}

interface Parts {
  readonly store: ImportStore
  readonly reader: ImportReader
  readonly hooks: Pick<HookRunner, 'has'>
}

export function createImportUploads(
  { database, jobs, product }: Deps<'database' | 'jobs' | 'product'>,
  { store, reader, hooks }: Parts,
  limits = LIMITS,
): ImportUploads {
  async function storeRows(tenantId: string, id: string, rows: AsyncIterable<ImportedRow>): Promise<number> {
    let batch: string[] = []
    let length = 0
    let stored = 0
    const flush = async () => {
      await store.addBatch(tenantId, id, stored, batch)
      stored += batch.length
      batch = []
      length = 0
    }
    for await (const row of rows) {
      const text = JSON.stringify(row)
      if (batch.length > 0 && length + text.length > MAX_BATCH_LENGTH) await flush()
      batch.push(text)
      length += text.length
      if (stored + batch.length > limits.rows)
        throw problems.import_too_large({ limit: limits.rows, unit: wording('rows') })
      if (batch.length === BATCH_ROWS) await flush()
    }
    if (batch.length > 0) await flush()
    if (stored === 0) throw problems.import_empty()
    return stored
  }

  /** Returns undefined for a key that no earlier request had. Throws `idempotency_mismatch`. */
  async function earlier(
    { tenantId, caller }: View,
    collection: Collection,
    key: string | undefined,
    digest: string,
  ): Promise<ImportRecord | undefined> {
    if (key === undefined) return undefined
    const found = await store.findByKey(tenantId, collection.name, caller?.userId ?? '', key)
    if (!found) return undefined
    if (found.digest !== digest) throw common.idempotency_mismatch()
    return reader.get(tenantId, found.id)
  }

  return {
    async receive(view, collection, options, { body, contentType, idempotencyKey, amounts }) {
      const { tenantId, caller } = view
      const by = options.by === null ? undefined : currentName(collection, options.by)
      assertMay(view, collection, 'create')
      if (by !== undefined) {
        assertMay(view, collection, 'update')
        const field = collection.fields.get(by)
        if (!field?.unique || !view.allows(collection, field))
          throw badParameter('by', 'unknown_field', wording('must name a unique field'))
      }
      if (!caller) throw common.unauthenticated()
      const isKnown =
        idempotencyKey !== undefined &&
        (await store.findByKey(tenantId, collection.name, caller.userId, idempotencyKey)) !== undefined
      // A repeated request adds no import.
      if (!isKnown && (await store.countActive(tenantId, countedWith(product, view))) >= MAX_ACTIVE_IMPORTS)
        throw problems.too_many_imports({ limit: MAX_ACTIVE_IMPORTS })
      const id = await store.create(tenantId, {
        ...options,
        by: by ?? null,
        collection: collection.name,
        caller: storedCaller(caller),
      })
      try {
        const hash = createHash('sha256').update(
          JSON.stringify(amounts === undefined ? options : { ...options, amounts }),
        )
        const text = decodeText(meter(body, hash, limits), contentType)
        const rules = { by, hasHooks: hooks.has(collection) }
        const rows =
          options.format === 'csv'
            ? withoutTotals(collection, csvRows(view, collection, text, rules, amounts))
            : objectRows(view, collection, text)
        const count = await storeRows(tenantId, id, rows)
        const digest = hash.digest('base64url')
        const queue = () =>
          database.tenant(tenantId).transaction(async unit => {
            if (!(await store.queue(unit, id, { rows: count, digest, idempotencyKey })))
              throw problems.import_incomplete()
            await jobs.enqueue('collections.import', { importId: id })
          })
        const find = () => earlier(view, collection, idempotencyKey, digest)
        // A request with the same key can arrive at the same time.
        const known =
          (await find()) ??
          (await queue().catch(async error => {
            if (!isUniqueViolation(error)) throw error
            return find()
          }))
        if (known) await store.remove(tenantId, id)
        return { record: known ?? ((await reader.get(tenantId, id)) as ImportRecord), isReplayed: known !== undefined }
      } catch (error) {
        await store.remove(tenantId, id).catch(() => undefined)
        // The rest of the body is not read.
        throw !Problem.is(error) || body.readableEnded ? error : withHeaders(error, { connection: 'close' })
      }
    },
  }
}

/** Throws `import_columns_invalid` unless every column is a field, and its amounts are in one unit. */
async function* csvRows(
  view: View,
  collection: Collection,
  text: AsyncIterable<string>,
  rules: ColumnRules,
  given: Amounts | undefined,
): AsyncGenerator<ImportedRow> {
  let columns: Columns | undefined
  let amounts = new AmountReader(given)
  const titles: CsvRecord[] = []
  const readHeader = ({ cells }: CsvRecord): Columns => {
    const read = readColumns(view, collection, cells, rules)
    if (read.errors.length > 0) throw problems.import_columns_invalid({}, { errors: read.errors })
    amounts = new AmountReader(given, read.inCurrency)
    return read.columns
  }
  for await (const record of csvRecords(text)) {
    if (columns) yield rowFromCells(columns, record, amounts)
    else if (isHeader(collection, record.cells)) columns = readHeader(record)
    else if (titles.push(record) === MAX_TITLE_LINES) break
  }
  // The first line then has names of nothing.
  if (!columns && titles[0]) readHeader(titles[0])
  const errors = amounts
    .ambiguities()
    .map(({ field, text }) => fieldError(`/columns/${columns?.indexOf(field)}`, 'ambiguous_amounts', text))
  if (errors.length > 0) throw problems.import_columns_invalid({}, { errors })
}

async function* objectRows(
  view: View,
  collection: Collection,
  text: AsyncIterable<string>,
): AsyncGenerator<ImportedRow> {
  const read = createObjectReader(view, collection)
  for await (const row of ndjsonRows(text)) yield read(row)
}

/** Passes on the bytes. Throws `import_too_large`, `import_too_slow` and `import_incomplete`. */
async function* meter(
  body: Readable,
  hash: Hash,
  { bytes, graceMs }: Pick<typeof LIMITS, 'bytes' | 'graceMs'>,
): AsyncGenerator<Uint8Array> {
  const started = performance.now()
  let size = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      hash.update(chunk)
      if (size > bytes) throw problems.import_too_large({ limit: bytes, unit: wording('bytes') })
      const late = performance.now() - started - graceMs
      if (late > 0 && size < (late / SECOND) * MIN_BYTES_PER_SECOND) throw problems.import_too_slow()
      yield chunk
    }
  } catch (error) {
    const isDisconnect = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']
    throw isDisconnect.includes((error as NodeJS.ErrnoException).code ?? '') ? problems.import_incomplete() : error
  }
}
