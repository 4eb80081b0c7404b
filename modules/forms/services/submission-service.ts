/** What was sent to a form: read, exported, deleted. */
import { common, type Deps, decodeCursor, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import { cellsOf, columnsOfSchemas, guarded } from '../domain/csv-table.ts'
import type { Json } from '../domain/schema-traversal.ts'
import type { Submission } from '../routes/form-schemas.ts'

export interface SubmissionQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly spam?: boolean | undefined
  readonly oldestFirst?: boolean
}

const COLUMNS = `id, form_id as "formId", form_version as "formVersion", data, meta, spam is not null as spam,
  spam as "spamReason", created_by as "createdBy", created_at as "createdAt"`
const FROM = 'from forms_submissions where form_id = $1'
/** Rows that an export holds at a time. */
const BATCH = 200

const spamIs = (spam: boolean | undefined) => (spam === undefined ? '' : `and spam is ${spam ? 'not null' : 'null'}`)

export function createSubmissions({ database, events }: Deps<'database' | 'events'>) {
  async function mustBe(unit: Unit, formId: string): Promise<string> {
    const { rows } = await unit.query<{ name: string }>('select name from forms_forms where id = $1', [formId])
    if (!rows[0]) throw common.not_found({ what: 'form' })
    return rows[0].name
  }

  /** Newest first, if not told otherwise. Throws `not_found` for a form that is not there. */
  async function list(tenantId: string, formId: string, query: SubmissionQuery): Promise<PageOf<Submission>> {
    const [last = null] = decodeCursor(query.cursor, 1) ?? []
    const [beyond, order] = query.oldestFirst ? ['>', ''] : ['<', 'desc']
    const limit = pageLimit(query)
    const unit = database.tenant(tenantId)
    const { rows } = await unit.query<Submission>(
      `select ${COLUMNS} ${FROM} and ($2::text is null or id ${beyond} $2) ${spamIs(query.spam)}
       order by id ${order} limit $3`,
      [formId, last, limit + 1],
    )
    if (rows.length === 0) await mustBe(unit, formId)
    return toPage(rows, limit, row => [row.id])
  }

  async function get(tenantId: string, formId: string, id: string): Promise<Submission> {
    const unit = database.tenant(tenantId)
    const { rows } = await unit.query<Submission>(`select ${COLUMNS} ${FROM} and id = $2`, [formId, id])
    if (!rows[0]) throw common.not_found({ what: 'submission' })
    return rows[0]
  }

  async function remove(tenantId: string, formId: string, id: string): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { rows } = await unit.query<{ formVersion: number }>(
        'delete from forms_submissions where form_id = $1 and id = $2 returning form_version as "formVersion"',
        [formId, id],
      )
      if (!rows[0]) throw common.not_found({ what: 'submission' })
      const payload = { formId, submissionId: id, formVersion: rows[0].formVersion }
      await events.publish('forms.submission.deleted', { payload, subject: id, tenantId })
    })
  }

  /** Schemas of every version that was ever sent, newest first. */
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

  /** Oldest first, batch by batch: what comes meanwhile stands at the end. */
  async function* rowsOf(tenantId: string, formId: string, spam: boolean | undefined): AsyncGenerator<Submission> {
    for (let after = ''; ; ) {
      const { rows } = await database
        .tenant(tenantId)
        .query<Submission>(`select ${COLUMNS} ${FROM} and id > $2 ${spamIs(spam)} order by id limit ${BATCH}`, [
          formId,
          after,
        ])
      yield* rows
      if (rows.length < BATCH) return
      after = rows.at(-1)?.id ?? ''
    }
  }

  /**
   * A line of names, then a line a submission: id, createdAt, version, spam, a column for each field of any version,
   * and `other` with what no version names, as JSON. Throws `not_found`.
   */
  async function table(tenantId: string, formId: string, spam: boolean | undefined) {
    const unit = database.tenant(tenantId)
    const name = await mustBe(unit, formId)
    const columns = columnsOfSchemas(await schemasOf(unit, formId))
    async function* lines(): AsyncGenerator<string[]> {
      yield ['id', 'createdAt', 'version', 'spam', ...columns.map(path => guarded(path.join('.'))), 'other']
      for await (const { id, createdAt, formVersion, spamReason, data } of rowsOf(tenantId, formId, spam))
        yield [id, createdAt.toISOString(), String(formVersion), spamReason ?? '', ...cellsOf(data, columns)]
    }
    return { name, lines: lines() }
  }

  return { list, get, remove, table }
}
