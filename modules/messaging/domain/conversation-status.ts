/** Open, resolved, snoozed until: what a patch makes of it. Pure. */
import { invalidField } from '../problems.ts'
import type { ConversationPatch, Status } from '../routes/schemas.ts'

export interface Standing {
  readonly subject: string | null
  readonly status: Status
  readonly snoozedUntil: Date | null
}

/** Throws 422 where status and time do not go together. The same object comes back where nothing changes. */
export function patched(before: Standing, patch: ConversationPatch, now: number): Standing {
  const subject = patch.subject === undefined ? before.subject : patch.subject
  const status = patch.status ?? before.status
  const snoozedUntil = untilOf(before, patch, status, now)
  const same =
    subject === before.subject && status === before.status && snoozedUntil?.getTime() === before.snoozedUntil?.getTime()
  return same ? before : { subject, status, snoozedUntil }
}

function untilOf(before: Standing, patch: ConversationPatch, status: Status, now: number): Date | null {
  const { snoozedUntil } = patch
  if (status !== 'snoozed') {
    if (snoozedUntil) throw invalidField('/snoozedUntil', 'not_allowed', 'goes with the status snoozed alone')
    return null
  }
  if (snoozedUntil === undefined && before.snoozedUntil !== null) return before.snoozedUntil
  if (!snoozedUntil) throw invalidField('/snoozedUntil', 'required', 'says until when it is snoozed')
  const until = new Date(snoozedUntil)
  if (!(until.getTime() > now) || until.getUTCFullYear() > LAST_YEAR)
    throw invalidField('/snoozedUntil', 'out_of_range', 'must be a time to come')
  return until
}

const LAST_YEAR = 9999
