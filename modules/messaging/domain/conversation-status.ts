/** Applies a patch to a conversation. Pure. */
import { isDeepStrictEqual } from 'node:util'
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
  const { status = before.status } = patch
  const after = { ...before, ...patch, status, snoozedUntil: resolveSnoozedUntil(before, patch, status, now) }
  return isDeepStrictEqual(after, before) ? before : after
}

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
