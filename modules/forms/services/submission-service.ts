/** Lists, exports and deletes submissions. */
import { common, type Deps, decodeCursor, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import { columnsOfVersions, escapeFormula, toCells } from '../domain/csv-table.ts'
import type { Json } from '../domain/schema-traversal.ts'
import type { Submission } from '../routes/submission-schemas.ts'

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
  remove(tenantId: string, formId: string, id: string): Promise<void>
  /**
   * A header row, then one row per submission: id, createdAt, version, spam, one column per field of any version, and
   * `other` with the remaining values as JSON. Throws `not_found`.
   */
  table(tenantId: string, formId: string, spam: boolean | undefined): Promise<SubmissionTable>
}

const COLUMNS = `id, form_id as "formId", form_version as "formVersion", data, meta, spam is not null as spam,
  spam as "spamReason", created_by as "createdBy", created_at as "createdAt"`
const FROM = 'from forms_submissions where form_id = $1'
/** Rows that an export holds in memory at a time. */
const BATCH_SIZE = 200

const spamCondition = (spam: boolean | undefined) =>
  spam === undefined ? '' : `and spam is ${spam ? 'not null' : 'null'}`

export function createSubmissionService({ database, events }: Deps<'database' | 'events'>): SubmissionService {
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
  async function* readAll(tenantId: string, formId: string, spam: boolean | undefined): AsyncGenerator<Submission> {
    for (let after = ''; ; ) {
      const { rows } = await database
        .tenant(tenantId)
        .query<Submission>(
          `select ${COLUMNS} ${FROM} and id > $2 ${spamCondition(spam)} order by id limit ${BATCH_SIZE}`,
          [formId, after],
        )
      yield* rows
      if (rows.length < BATCH_SIZE) return
      after = rows.at(-1)?.id ?? ''
    }
  }

  return {
    async list(tenantId, formId, query) {
      const [last = null] = decodeCursor(query.cursor, 1) ?? []
      const [comparison, order] = query.oldestFirst ? ['>', ''] : ['<', 'desc']
      const limit = pageLimit(query)
      const unit = database.tenant(tenantId)
      const { rows } = await unit.query<Submission>(
        `select ${COLUMNS} ${FROM} and ($2::text is null or id ${comparison} $2) ${spamCondition(query.spam)}
         order by id ${order} limit $3`,
        [formId, last, limit + 1],
      )
      if (rows.length === 0) await formName(unit, formId)
      return toPage(rows, limit, row => [row.id])
    },

    async get(tenantId, formId, id) {
      const unit = database.tenant(tenantId)
      const { rows } = await unit.query<Submission>(`select ${COLUMNS} ${FROM} and id = $2`, [formId, id])
      if (!rows[0]) throw common.not_found({ what: 'submission' })
      return rows[0]
    },

    async remove(tenantId, formId, id) {
      await database.tenant(tenantId).transaction(async unit => {
        const { rows } = await unit.query<{ formVersion: number }>(
          'delete from forms_submissions where form_id = $1 and id = $2 returning form_version as "formVersion"',
          [formId, id],
        )
        if (!rows[0]) throw common.not_found({ what: 'submission' })
        const payload = { formId, submissionId: id, formVersion: rows[0].formVersion }
        await events.publish('forms.submission.deleted', { payload, subject: id, tenantId })
      })
    },

    async table(tenantId, formId, spam) {
      const unit = database.tenant(tenantId)
      const name = await formName(unit, formId)
      const columns = columnsOfVersions(await schemasOf(unit, formId))
      async function* rows(): AsyncGenerator<string[]> {
        yield ['id', 'createdAt', 'version', 'spam', ...columns.map(path => escapeFormula(path.join('.'))), 'other']
        for await (const { id, createdAt, formVersion, spamReason, data } of readAll(tenantId, formId, spam))
          yield [id, createdAt.toISOString(), String(formVersion), spamReason ?? '', ...toCells(data, columns)]
      }
      return { name, rows: rows() }
    },
  }
}
