/** Writes submissions: the entry and its event in one round trip, or with the row that it creates. Among equal submissions, the first is not spam. */
import {
  common,
  currentContext,
  type Deps,
  expression,
  isUniqueViolation,
  type Step,
  type Unit,
} from '@larder-dev/larder/kernel'
import { type Meta, type Receipt, submissionTable } from '../records/submission.ts'
import { formUnit } from './form-unit.ts'

export interface NewSubmissionRow extends Receipt {
  readonly tenantId: string
  /** The entry as stored. */
  readonly json: string
  readonly meta: Meta
  readonly spamReason: string | null
  /** Detects duplicates; null if they are not checked. */
  readonly fingerprint: Buffer | null
  /** When the page was shown that sends the entry; null for requests of programs, which have `Idempotency-Key`. */
  readonly shownAt: Date | null
  readonly createdBy: string | null
}

/** If the form is gone, form_id is null and the insert fails. */
const FORM_ID = '(select id from forms_forms where id = $1)'
const UNLESS_DUPLICATE = 'on conflict (fingerprint) where fingerprint is not null do nothing'
const RELEASE = 'update forms_submissions set fingerprint = null where fingerprint = $1 and created_at <= $2'
const FIND_SINCE = 'select from forms_submissions where fingerprint = $1 and created_at >= $2'

/**
 * The function that it returns throws `not_found` for a deleted form. The row is created unless the entry is spam or a
 * second click, and its problems are thrown.
 * @param duplicateWindowMs how long an equal entry counts as a duplicate.
 */
export function createSubmissionStore(
  deps: Deps<'database' | 'systemDatabase' | 'events'>,
  duplicateWindowMs: number,
): (row: NewSubmissionRow, createRow?: () => Promise<string | null>) => Promise<void> {
  const { events } = deps
  const createdEvent = ({ tenantId, id, formId, formVersion }: NewSubmissionRow): Step =>
    events.publishStep('forms.submission.created', {
      tenantId,
      subject: id,
      payload: { formId, submissionId: id, formVersion },
    })

  /** Checks for a duplicate before it writes. An equal entry since the page was shown is a second click on its button. */
  async function insertChecked(
    unit: Unit,
    row: NewSubmissionRow,
    createRow?: () => Promise<string | null>,
  ): Promise<void> {
    const { fingerprint, shownAt } = row
    if (shownAt && (await unit.query(FIND_SINCE, [fingerprint, shownAt])).rowCount === 1) return
    await unit.query(RELEASE, [fingerprint, new Date(row.createdAt.getTime() - duplicateWindowMs)])
    const { rowCount } = await unit.query(...insertStep(row, UNLESS_DUPLICATE))
    if (rowCount !== 1) {
      await unit.query(...insertStep({ ...row, spamReason: 'duplicate', fingerprint: null }))
      return
    }
    const rowId = (await createRow?.()) ?? null
    const { formId, id } = row
    await unit.all([
      ...(rowId === null ? [] : [submissionTable.updateStep({ formId, id }, { rowId })]),
      createdEvent(row),
    ])
  }

  return async (row, createRow) => {
    const unit = formUnit(deps, row.tenantId)
    // Inside a surrounding transaction, a unique violation would abort it.
    const surrounded = currentContext().unit !== undefined
    try {
      if (row.spamReason !== null) await unit.query(...insertStep(row))
      else if (createRow || (surrounded && row.fingerprint !== null))
        await unit.transaction(inner => insertChecked(inner, row, createRow))
      else await unit.all([insertStep(row), createdEvent(row)])
    } catch (error) {
      if (isWithoutForm(error)) throw common.not_found({ what: 'form' })
      if (surrounded || !isUniqueViolation(error, 'forms_submissions_repeated')) throw error
      await unit.transaction(inner => insertChecked(inner, row))
    }
  }
}

const insertStep = ({ json, formId, shownAt: _, ...row }: NewSubmissionRow, suffix = ''): Step =>
  submissionTable.insertStep(
    { ...row, formId: expression(FORM_ID, formId), data: expression('$1::json', json) },
    suffix,
  )

/** The form was deleted: the insert selects its id. */
const isWithoutForm = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'column') === 'form_id'
