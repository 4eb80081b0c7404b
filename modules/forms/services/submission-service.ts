/** Lists, exports and deletes submissions. */
import { common, type Deps, type PageOf, type Unit, valuesOf, without } from '@larder-dev/larder/kernel'
import { columnsOfVersions, escapeFormula, headerOf, toCells } from '../domain/csv-table.ts'
import type { Json } from '../domain/schema-traversal.ts'
import { Submission, type SubmissionPatch, type SubmissionRow, submissionTable } from '../records/submission.ts'
import type { SubmissionRows } from './submission-rows.ts'

export interface SubmissionQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly spam?: boolean | undefined
  readonly oldestFirst?: boolean
}
export interface SubmissionTable {
  /** Name of the form. */
  readonly name: string
  readonly rows: AsyncIterable<string[]>
}
export interface SubmissionService {
  /** Newest first by default. Throws `not_found` for an unknown form. */
  list(tenantId: string, formId: string, query: SubmissionQuery): Promise<PageOf<Submission>>
  get(tenantId: string, formId: string, id: string): Promise<Submission>
  /**
   * Publishes `forms.submission.created` for a submission that the spam check held back and that is not spam, and creates
   * its row. Throws the problems of the row.
   */
  update(tenantId: string, formId: string, id: string, patch: SubmissionPatch): Promise<Submission>
  remove(tenantId: string, formId: string, id: string): Promise<void>
  /**
   * A header row, then one row per submission: its own columns, one column per field of any version, and `other` with
   * the remaining values as JSON. Throws `not_found`.
   */
  table(tenantId: string, formId: string, spam: boolean | undefined): Promise<SubmissionTable>
}

/** The reason of submissions that a person marked. Their event was published when they arrived. */
const MARKED = 'manual'
/** Properties that an export has under their own names. The others stay inside, or are below under other names. */
const EXPORTED = without(Submission.properties, [
  'id',
  'formId',
  'formVersion',
  'data',
  'createdAt',
  'meta',
  'spam',
  'spamReason',
  'note',
  'createdBy',
  'rowId',
])
const EXPORT_COLUMNS = ['id', 'createdAt', 'version', 'spam', ...Object.keys(EXPORTED)]
/** Rows that an export holds in memory at a time. */
const BATCH_SIZE = 200

export function createSubmissionService({
  database,
  events,
  submissionRows,
}: Deps<'database' | 'events'> & { readonly submissionRows: SubmissionRows }): SubmissionService {
  const readPage = (tenantId: string, formId: string, { limit, cursor, spam, oldestFirst }: SubmissionQuery) =>
    submissionTable.page(database.tenant(tenantId), {
      limit,
      cursor,
      ascending: oldestFirst,
      where: { formId },
      and: spam === undefined ? [] : [[spam ? 'spam is not null' : 'spam is null']],
    })

  /** Throws `not_found`. */
  async function formName(unit: Unit, formId: string): Promise<string> {
    const { rows } = await unit.query<{ name: string }>('select name from forms_forms where id = $1', [formId])
    if (!rows[0]) throw common.not_found({ what: 'form' })
    return rows[0].name
  }

  /** Schemas of the current version and of every version with submissions, newest first. */
  async function schemasOf(unit: Unit, formId: string): Promise<Json[]> {
    const { rows } = await unit.query<{ schema: Json }>(
      `select schema from forms_versions where form_id = $1 and (
         number = (select version from forms_forms where id = $1)
         or number in (select distinct form_version from forms_submissions where form_id = $1))
       order by number desc`,
      [formId],
    )
    return rows.map(({ schema }) => schema)
  }

  /** Oldest first, so that submissions that arrive meanwhile are appended. */
  async function* readAll(tenantId: string, formId: string, spam: boolean | undefined): AsyncGenerator<SubmissionRow> {
    let cursor: string | undefined
    do {
      const page = await readPage(tenantId, formId, { spam, cursor, oldestFirst: true, limit: BATCH_SIZE })
      yield* page.data
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  /** As its visitor, whom the spam check held back. */
  async function createRow(unit: Unit, tenantId: string, { formId, data }: SubmissionRow): Promise<string | null> {
    const { rows } = await unit.query<{ key: string | null }>('select key from forms_forms where id = $1', [formId])
    const create = submissionRows.of({ key: rows[0]?.key ?? null, tenantId })
    return create ? create(data, undefined) : null
  }

  return {
    async list(tenantId, formId, query) {
      const { data, nextCursor } = await readPage(tenantId, formId, query)
      if (data.length === 0) await formName(database.tenant(tenantId), formId)
      return { data: data.map(toSubmission), nextCursor }
    },

    get: async (tenantId, formId, id) =>
      toSubmission(await submissionTable.get(database.tenant(tenantId), { formId, id })),

    async update(tenantId, formId, id, { spam, ...patch }) {
      return database.tenant(tenantId).transaction(async unit => {
        const before = await submissionTable.get(unit, { formId, id }, { lock: true })
        const { spamReason: reason } = before
        const spamReason = spam === undefined ? reason : spam ? (reason ?? MARKED) : null
        const isDelivered = spamReason === null && reason !== null && reason !== MARKED
        const rowId = isDelivered ? await createRow(unit, tenantId, before) : before.rowId
        const changes = { ...patch, ...(patch.note === '' && { note: null }), spamReason, rowId }
        const after = await submissionTable.update(unit, { formId, id }, changes)
        if (isDelivered) {
          const payload = { formId, submissionId: id, formVersion: before.formVersion }
          await events.publish('forms.submission.created', { payload, subject: id, tenantId })
        }
        return toSubmission(after)
      })
    },

    async remove(tenantId, formId, id) {
      await database.tenant(tenantId).transaction(async unit => {
        const { formVersion } = await submissionTable.delete(unit, { formId, id })
        const payload = { formId, submissionId: id, formVersion }
        await events.publish('forms.submission.deleted', { payload, subject: id, tenantId })
      })
    },

    async table(tenantId, formId, spam) {
      const unit = database.tenant(tenantId)
      const name = await formName(unit, formId)
      const columns = columnsOfVersions(await schemasOf(unit, formId))
      async function* rows(): AsyncGenerator<string[]> {
        yield headerOf(EXPORT_COLUMNS, columns)
        for await (const row of readAll(tenantId, formId, spam))
          yield [...exportCells(row), ...toCells(row.data, columns)]
      }
      return { name, rows: rows() }
    },
  }
}

const toSubmission = (row: SubmissionRow): Submission => ({ ...row, spam: row.spamReason !== null })

/** The cells of `EXPORT_COLUMNS`. */
const exportCells = (row: SubmissionRow): string[] => {
  const { id, createdAt, formVersion, spamReason } = row
  const others = Object.values(valuesOf(EXPORTED, toSubmission(row)))
  return [id, createdAt.toISOString(), String(formVersion), spamReason ?? '', ...others.map(escapeFormula)]
}
