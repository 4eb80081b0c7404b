/** Applies a patch to subject and status of a conversation. Pure. */
import { invalidField } from '../problems.ts'

export const STATUSES = ['open', 'resolved', 'snoozed'] as const
export type Status = (typeof STATUSES)[number]

export interface ConversationState {
  readonly subject: string | null
  readonly status: Status
  readonly snoozedUntil: Date | null
}

/** A change of a conversation; absent fields stay. `snoozedUntil` is an RFC 3339 time. */
export interface ConversationPatch {
  readonly subject?: string | null
  readonly status?: Status
  readonly snoozedUntil?: string | null
}

/** Throws 422 if status and time conflict. Returns the same object if nothing changes. */
export function applyPatch(before: ConversationState, patch: ConversationPatch, now: number): ConversationState {
  const subject = patch.subject === undefined ? before.subject : patch.subject
  const status = patch.status ?? before.status
  const snoozedUntil = resolveSnoozedUntil(before, patch, status, now)
  const unchanged =
    subject === before.subject && status === before.status && snoozedUntil?.getTime() === before.snoozedUntil?.getTime()
  return unchanged ? before : { subject, status, snoozedUntil }
}

function resolveSnoozedUntil(
  before: ConversationState,
  patch: ConversationPatch,
  status: Status,
  now: number,
): Date | null {
  const { snoozedUntil } = patch
  if (status !== 'snoozed') {
    if (snoozedUntil) throw invalidField('/snoozedUntil', 'not_allowed', 'is only allowed with status snoozed')
    return null
  }
  if (snoozedUntil === undefined && before.snoozedUntil !== null) return before.snoozedUntil
  if (!snoozedUntil) throw invalidField('/snoozedUntil', 'required', 'is required with status snoozed')
  const until = new Date(snoozedUntil)
  if (!(until.getTime() > now) || until.getUTCFullYear() > MAX_YEAR)
    throw invalidField('/snoozedUntil', 'out_of_range', 'must be in the future')
  return until
}

const MAX_YEAR = 9999
