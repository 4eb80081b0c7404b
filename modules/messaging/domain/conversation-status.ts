/** Applies a patch to subject, status and assignee of a conversation. Pure. */
import { invalidField, wording } from '@larder-dev/larder/kernel'

export const STATUSES = ['open', 'resolved', 'snoozed'] as const
export type Status = (typeof STATUSES)[number]

/** Members of the workspace with the permission may read support conversations, and only participants private ones. */
export const KINDS = ['private', 'support'] as const
export type Kind = (typeof KINDS)[number]

export interface ConversationState {
  readonly subject: string | null
  readonly status: Status
  readonly snoozedUntil: Date | null
  /** User id; always null in private conversations. */
  readonly assigneeId: string | null
}

/** A change of a conversation; absent fields stay. `snoozedUntil` is an RFC 3339 time. */
export interface ConversationPatch {
  readonly subject?: string | null
  readonly status?: Status
  readonly snoozedUntil?: string | null
  readonly assigneeId?: string | null
}

/** Throws 422 if status and time conflict. Returns the same object if nothing changes. */
export function applyPatch(before: ConversationState, patch: ConversationPatch, now: number): ConversationState {
  const subject = patch.subject === undefined ? before.subject : patch.subject
  const status = patch.status ?? before.status
  const snoozedUntil = resolveSnoozedUntil(before, patch, status, now)
  const assigneeId = patch.assigneeId === undefined ? before.assigneeId : patch.assigneeId
  const after = { subject, status, snoozedUntil, assigneeId }
  return hasSameContent(before, after) && assigneeId === before.assigneeId ? before : after
}

/** Whether subject and status are the same. */
export const hasSameContent = (before: ConversationState, after: ConversationState): boolean =>
  after.subject === before.subject &&
  after.status === before.status &&
  after.snoozedUntil?.getTime() === before.snoozedUntil?.getTime()

function resolveSnoozedUntil(
  before: ConversationState,
  patch: ConversationPatch,
  status: Status,
  now: number,
): Date | null {
  const { snoozedUntil } = patch
  if (status !== 'snoozed') {
    if (snoozedUntil) throw invalidField('/snoozedUntil', 'not_allowed', wording('is only allowed with status snoozed'))
    return null
  }
  if (snoozedUntil === undefined && before.snoozedUntil !== null) return before.snoozedUntil
  if (!snoozedUntil) throw invalidField('/snoozedUntil', 'required', wording('is required with status snoozed'))
  const until = new Date(snoozedUntil)
  if (!(until.getTime() > now) || until.getUTCFullYear() > MAX_YEAR)
    throw invalidField('/snoozedUntil', 'out_of_range', wording('must be in the future'))
  return until
}

const MAX_YEAR = 9999
