/** A new submission: checked against the version that was shown, looked at for spam, stored. */
import { addressKey, type Deps, milliseconds, newId } from 'larder/kernel'
import { entryFaults, fingerprint } from '../domain/entry.ts'
import { suspicion } from '../domain/spam-check.ts'
import { type Reading, readToken, signToken } from '../domain/form-token.ts'
import type { FormsOptions } from '../options.ts'
import { invalidFields } from '../problems.ts'
import type { Blank, NewSubmission, Receipt } from '../routes/form-schemas.ts'
import type { Definition, Definitions } from './form-cache.ts'
import { createStore, type NewRow } from './submission-store.ts'

/** One of the tenant's people is never taken for a machine. */
export interface Sender {
  readonly kind: 'member' | 'public'
  readonly userId: string | undefined
  readonly ip: string
}

export function createSubmitting(
  deps: Deps<'database' | 'events' | 'clock' | 'secrets'>,
  { spam }: FormsOptions,
  definitions: Definitions,
) {
  const { clock, secrets } = deps
  const rules = { ...spam, minFill: milliseconds(spam.minFill) }
  const window = milliseconds(spam.duplicates)
  const store = createStore(deps, window)

  const reading = ({ id }: Definition, token: unknown): Reading | undefined =>
    typeof token === 'string' ? readToken(secrets, id, token, clock.now()) : undefined

  /** Of an entry that is good. */
  function rowOf(form: Definition, shown: Reading | undefined, entry: NewSubmission, sender: Sender): NewRow {
    const { data, meta = {} } = entry
    const { token, website, ...kept } = meta
    const now = clock.now()
    const json = JSON.stringify(data)
    const isPublic = sender.kind === 'public'
    const reason = isPublic ? suspicion({ shown, hidden: website, now }, rules) : null
    return {
      tenantId: form.tenantId,
      id: newId('sub', now),
      formId: form.id,
      formVersion: versionOf(form, shown),
      ...{ data, json, meta: kept, spam: reason, createdAt: new Date(now) },
      fingerprint: isPublic && reason === null && window > 0 ? fingerprint(form.id, json, addressKey(sender.ip)) : null,
      createdBy: isPublic ? null : (sender.userId ?? null),
    }
  }

  return {
    /** Throws `validation_failed`, with pointers below `/data`. */
    async submit(form: Definition, entry: NewSubmission, sender: Sender): Promise<Receipt> {
      const shown = reading(form, entry.meta?.token)
      const { validate } = await definitions.version(form, versionOf(form, shown))
      const heap = entryFaults(entry.data)
      const errors = heap.length > 0 ? heap : validate(entry.data)
      if (errors.length > 0) throw invalidFields('/data', errors)
      const row = rowOf(form, shown, entry, sender)
      await store(row)
      return row
    },
    /** What somebody needs who is about to fill it in. */
    async blank(form: Definition): Promise<Blank> {
      const { id, version } = form
      const { name, schema, uiSchema } = await definitions.version(form, version)
      const token = signToken(secrets, id, { version, at: clock.now() })
      return { id, name, version, schema, uiSchema, token }
    },
    /** The version that this token was given for; the newest for any other text. */
    shownVersion: (form: Definition, token: string): number => versionOf(form, reading(form, token)),
  }
}

const versionOf = (form: Definition, shown: Reading | undefined): number =>
  typeof shown === 'object' ? Math.min(shown.version, form.version) : form.version
