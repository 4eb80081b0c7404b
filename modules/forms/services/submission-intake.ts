/** Takes a new submission: validates it against the version that was shown, checks it for spam, and stores it. */
import {
  addressKey,
  type Caller,
  createShownTokens,
  type Deps,
  invalidFields,
  milliseconds,
  newId,
  Problem,
  type ShownResult,
  spamReason,
} from '@larder-dev/larder/kernel'
import { entryErrors, entryFingerprint } from '../domain/entry.ts'
import { withCleanAddresses } from '../domain/visible-texts.ts'
import type { FormsOptions } from '../options.ts'
import { problems } from '../problems.ts'
import type { BlankForm, NewSubmission, Receipt } from '../records/submission.ts'
import type { FormCache, FormDefinition } from './form-cache.ts'
import type { SubmitterKind } from './submission-access.ts'
import type { SubmissionRows } from './submission-rows.ts'
import { createSubmissionStore, type NewSubmissionRow } from './submission-store.ts'

export interface Submitter {
  readonly kind: SubmitterKind
  readonly caller: Caller | undefined
  readonly ip: string
  /** The form was sent by its page, whose button may be clicked twice. */
  readonly isPage?: boolean
}
export interface SubmissionIntake {
  /** Throws `validation_failed` with pointers below `/data`, and the problems of the row that it creates. */
  submit(form: FormDefinition, submission: NewSubmission, submitter: Submitter): Promise<Receipt>
  /** The form as a page needs it, in the language of the reader, with a token. */
  blank(form: FormDefinition, locale: string): Promise<BlankForm>
  /** The version that the token was issued for; the current one for any other text. */
  shownVersion(form: FormDefinition, token: string): number
}

type IntakeDeps = Deps<'database' | 'systemDatabase' | 'events' | 'clock' | 'secrets', 'entitlements'> & {
  readonly formCache: FormCache
  readonly submissionRows: SubmissionRows
}

export function createSubmissionIntake(deps: IntakeDeps, { spam }: FormsOptions): SubmissionIntake {
  const { clock, secrets, entitlements, formCache, submissionRows } = deps
  const rules = { minFillMs: milliseconds(spam.minFill), requireToken: spam.requireToken }
  const duplicateWindowMs = milliseconds(spam.duplicates)
  const store = createSubmissionStore(deps, duplicateWindowMs)
  const tokens = createShownTokens(secrets, 'forms.token')

  const tokenResult = ({ id }: FormDefinition, token: unknown): ShownResult | undefined =>
    typeof token === 'string' ? tokens.read(id, token, clock.now()) : undefined

  /** @param submission a valid one. */
  function toRow(
    form: FormDefinition,
    token: ShownResult | undefined,
    submission: NewSubmission,
    submitter: Submitter,
  ): NewSubmissionRow {
    const { data, meta: allMeta = {} } = submission
    const { token: _, website: honeypot, ...meta } = allMeta
    const now = clock.now()
    const json = JSON.stringify(data)
    const isPublic = submitter.kind === 'public'
    const spam = isPublic ? spamReason({ token, honeypot, now }, rules) : null
    const shownAt = submitter.isPage && typeof token === 'object' ? new Date(token.shownAt) : null
    const detectsDuplicates = isPublic && duplicateWindowMs > 0
    const sender = detectsDuplicates
      ? addressKey(submitter.ip)
      : shownAt && `${submitter.caller?.userId} ${allMeta.token}`
    return {
      tenantId: form.tenantId,
      id: newId('sub', now),
      formId: form.id,
      formVersion: versionOf(form, token),
      data,
      json,
      meta,
      spamReason: spam,
      createdAt: new Date(now),
      fingerprint: sender && spam === null ? entryFingerprint(form.id, json, sender) : null,
      shownAt,
      createdBy: isPublic ? null : (submitter.caller?.userId ?? null),
    }
  }

  async function requireStorage({ tenantId, json }: NewSubmissionRow, { kind }: Submitter): Promise<void> {
    try {
      await entitlements?.requireRowStorage(tenantId, Buffer.byteLength(json))
    } catch (error) {
      // Visitors must not learn about the workspace's plan.
      throw kind === 'public' && Problem.is(error) && error.status === 403 ? problems.form_full() : error
    }
  }

  return {
    async submit(form, { data: given, meta }, submitter) {
      const token = tokenResult(form, meta?.token)
      const { schema, validate } = await formCache.version(form, versionOf(form, token))
      const tooMany = entryErrors(given)
      const data = tooMany.length > 0 ? given : (withCleanAddresses(schema, given) as NewSubmission['data'])
      const submission: NewSubmission = { data, ...(meta !== undefined && { meta }) }
      const errors = tooMany.length > 0 ? tooMany : await validate(submission.data)
      if (errors.length > 0) throw invalidFields(errors.map(error => ({ ...error, pointer: `/data${error.pointer}` })))
      const row = toRow(form, token, submission, submitter)
      await requireStorage(row, submitter)
      const createRow = submissionRows.of(form)
      await store(row, createRow && (() => createRow(data, submitter.caller)))
      return row
    },
    async blank(form, locale) {
      const { id, version } = form
      const { title, schema, uiSchema } = (await formCache.version(form, version)).in(locale)
      const token = tokens.sign(id, { version, shownAt: clock.now() })
      return { id, name: title, version, schema, uiSchema, token }
    },
    shownVersion: (form, token) => versionOf(form, tokenResult(form, token)),
  }
}

const versionOf = (form: FormDefinition, token: ShownResult | undefined): number =>
  typeof token === 'object' ? Math.min(token.version, form.version) : form.version
