/** Submissions into the database: row and event in one flight; of several that are equal the first one counts. */
import { common, currentContext, type Deps, type Step, type Unit } from 'larder/kernel'
import type { Meta, Receipt } from '../schemas.ts'
import { unitOf } from './unit.ts'

export interface NewRow extends Receipt {
  readonly tenantId: string
  /** The entry as it is stored. */
  readonly json: string
  readonly meta: Meta
  /** Why it is taken for spam. */
  readonly spam: string | null
  /** Of what must not come twice. */
  readonly fingerprint: Buffer | null
  readonly createdBy: string | null
}

/** Without its form there is no value for form_id, and so no row. */
const INSERT = `insert into forms_submissions
  (tenant_id, form_id, id, form_version, data, meta, spam, fingerprint, created_by, created_at)
  values ($1, (select id from forms_forms where id = $2), $3, $4, $5::json, $6::json, $7, $8, $9, $10)`
const UNLESS_REPEATED = 'on conflict (fingerprint) where fingerprint is not null do nothing'
/** Frees what counts as a repetition no longer. */
const AGED = 'update forms_submissions set fingerprint = null where fingerprint = $1 and created_at <= $2'

/** @param window milliseconds for which the same again is a repetition. */
export function createStore({ database, events }: Deps<'database' | 'events'>, window: number) {
  const told = ({ tenantId, id, formId, formVersion }: NewRow): Step =>
    events.step('forms.submission.created', {
      tenantId,
      subject: id,
      payload: { formId, submissionId: id, formVersion },
    })

  /** Looks before it writes. */
  async function carefully(unit: Unit, row: NewRow): Promise<void> {
    await unit.query(AGED, [row.fingerprint, new Date(row.createdAt.getTime() - window)])
    const { rowCount } = await unit.query(`${INSERT} ${UNLESS_REPEATED}`, valuesOf(row))
    if (rowCount === 1) await unit.query(...told(row))
    else await unit.query(INSERT, valuesOf({ ...row, spam: 'duplicate', fingerprint: null }))
  }

  /** Throws `not_found` where the form has gone. */
  return async (row: NewRow): Promise<void> => {
    const unit = unitOf(database, row.tenantId)
    // Inside somebody's transaction a repetition would end it, as every failure does.
    const surrounded = currentContext().unit !== undefined
    try {
      if (row.spam !== null) await unit.query(INSERT, valuesOf(row))
      else if (surrounded && row.fingerprint !== null) await unit.transaction(inside => carefully(inside, row))
      else await unit.batch([[INSERT, valuesOf(row)], told(row)])
    } catch (error) {
      if (isAbout(error, 'column', 'form_id')) throw common.not_found({ what: 'form' })
      if (surrounded || !isAbout(error, 'constraint', 'forms_submissions_repeated')) throw error
      await unit.transaction(inside => carefully(inside, row))
    }
    database.afterCommit(events.wakeWorkers)
  }
}

const valuesOf = (row: NewRow): unknown[] => [
  row.tenantId,
  row.formId,
  row.id,
  row.formVersion,
  row.json,
  JSON.stringify(row.meta),
  row.spam,
  row.fingerprint,
  row.createdBy,
  row.createdAt,
]

/** What PostgreSQL says that an error is about. */
const isAbout = (error: unknown, field: 'column' | 'constraint', name: string): boolean =>
  error instanceof Error && field in error && (error as Error & Record<typeof field, unknown>)[field] === name
