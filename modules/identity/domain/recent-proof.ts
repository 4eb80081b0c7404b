import { type Caller, common, MINUTE, milliseconds } from '@larder-dev/larder/kernel'

/** `recentAuth` of routes and pages. */
export const RECENT_AUTH = '10m'
export const RECENT_MS = milliseconds(RECENT_AUTH)

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
