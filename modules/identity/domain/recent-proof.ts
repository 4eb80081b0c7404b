import { type Caller, common, MINUTE, milliseconds, SECOND } from '@larder-dev/larder/kernel'
import { REAUTHENTICATION_PATH } from './return-path.ts'

/** `recentAuth` of routes and pages. */
export const RECENT_AUTH = '10m'
export const RECENT_MS = milliseconds(RECENT_AUTH)

/** The time of a sign-in that says nothing about when the person proved who they are: older than any recent proof. */
export const NO_PROOF = new Date(0).toISOString()
/** By how much the clock of a provider may be ahead. */
const MAX_SKEW_MS = MINUTE

/**
 * When the person proved who they are at a provider. A running session there answers without asking them, so the time of
 * the sign-in says nothing.
 * @param at milliseconds since 1970, as the provider says
 */
export function proofAt(at: unknown, now: number): string {
  const isTime = typeof at === 'number' && at > 0 && at <= now + MAX_SKEW_MS
  return isTime ? new Date(Math.min(at, now)).toISOString() : NO_PROOF
}
/** The claim `auth_time`, in seconds, as milliseconds. */
export const authTimeOf = ({ auth_time: seconds }: { readonly auth_time?: unknown }): number | undefined =>
  typeof seconds === 'number' ? seconds * SECOND : undefined

/**
 * The page that asks who the person is and leads back to `next`. Undefined while their proof is recent enough for a form
 * that they start to fill in now: half of the time is left.
 */
export function proofPageBefore(
  { authenticatedAt }: Pick<Caller, 'authenticatedAt'>,
  next: string,
  now: number,
): string | undefined {
  const isFresh = authenticatedAt !== undefined && Date.parse(authenticatedAt) > now - RECENT_MS / 2
  return isFresh ? undefined : `${REAUTHENTICATION_PATH}?next=${encodeURIComponent(next)}`
}

/** Throws `reauthentication_required` unless the person proved who they are within `RECENT_MS`. API keys have nothing to prove. */
export function assertRecentProof(
  caller: Pick<Caller, 'authenticatedAt'> & Partial<Pick<Caller, 'kind'>>,
  now: number,
): void {
  if (caller.kind === 'apiKey') return
  const { authenticatedAt } = caller
  if (authenticatedAt !== undefined && Date.parse(authenticatedAt) > now - RECENT_MS) return
  throw common.reauthentication_required({ minutes: RECENT_MS / MINUTE })
}
