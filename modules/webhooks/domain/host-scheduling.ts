/** Which waiting delivery goes next to a host, so that a hanging address holds back its neighbours as little as can be. */

/** Requests under way to one host. */
export const MAX_PER_HOST = 4
/** Of these, requests to one address that has not answered yet, and requests to all addresses that lately hung. */
const MAX_UNPROVEN = 2

export interface Laned {
  /** Host and path. */
  readonly address: string
}
/** How an address answered last; unknown until it has. */
export type Pace = 'quick' | 'slow' | 'unknown'

/** Index of the next one to send, or undefined while none may go. Pure. */
export function nextOf(
  waiting: readonly Laned[],
  inFlight: readonly Laned[],
  paceOf: (address: string) => Pace,
): number | undefined {
  if (inFlight.length >= MAX_PER_HOST) return undefined
  const slow = inFlight.filter(({ address }) => paceOf(address) === 'slow').length
  const mayGo = ({ address }: Laned, pace: Pace): boolean => {
    if (pace === 'quick') return true
    const rivals = pace === 'slow' ? slow : inFlight.filter(other => other.address === address).length
    return rivals < MAX_UNPROVEN
  }
  const first = (slowToo: boolean) =>
    waiting.findIndex(delivery => {
      const pace = paceOf(delivery.address)
      return (slowToo || pace !== 'slow') && mayGo(delivery, pace)
    })
  const healthy = first(false)
  const next = healthy >= 0 ? healthy : first(true)
  return next >= 0 ? next : undefined
}

/** Addresses of which enough waits here: a claim need not bring more of them. */
export function plentiful(waiting: readonly Laned[]): string[] {
  const counts = new Map<string, number>()
  for (const { address } of waiting) counts.set(address, (counts.get(address) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= MAX_PER_HOST).map(([address]) => address)
}
