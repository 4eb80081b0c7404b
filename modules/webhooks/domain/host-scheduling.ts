/** Selects the next delivery of a host, so that a slow URL delays other URLs of the host as little as possible. Pure. */

/** Concurrent requests to one host. */
export const MAX_REQUESTS_PER_HOST = 4
/** Of these, requests to one URL without a response so far, and requests to all slow URLs. */
const MAX_UNPROVEN = 2

export interface Scheduled {
  /** Host and path. */
  readonly address: string
  /** Deliveries with the same key are sent in their order; null for those without an order. */
  readonly orderKey?: string | null
}
/** Speed of the last response; unknown before the first. */
export type ResponseSpeed = 'quick' | 'slow' | 'unknown'

/** Index of the next delivery to send; undefined if none may be sent now. `waiting` is ordered by time. */
export function selectNext(
  waiting: readonly Scheduled[],
  inFlight: readonly Scheduled[],
  speedOf: (address: string) => ResponseSpeed,
): number | undefined {
  if (inFlight.length >= MAX_REQUESTS_PER_HOST) return undefined
  const slow = inFlight.filter(({ address }) => speedOf(address) === 'slow').length
  const maySend = ({ address }: Scheduled, speed: ResponseSpeed): boolean => {
    if (speed === 'quick') return true
    const competing = speed === 'slow' ? slow : inFlight.filter(other => other.address === address).length
    return competing < MAX_UNPROVEN
  }
  const first = (includeSlow: boolean) => {
    const earlier = new Set(inFlight.map(({ orderKey }) => orderKey))
    return waiting.findIndex(delivery => {
      const { address, orderKey = null } = delivery
      if (orderKey !== null && earlier.has(orderKey)) return false
      earlier.add(orderKey)
      const speed = speedOf(address)
      return (includeSlow || speed !== 'slow') && maySend(delivery, speed)
    })
  }
  const healthy = first(false)
  const next = healthy >= 0 ? healthy : first(true)
  return next >= 0 ? next : undefined
}

/** Addresses with enough waiting deliveries, which the next claim can omit. */
export function saturatedAddresses(waiting: readonly Scheduled[]): string[] {
  const counts = new Map<string, number>()
  for (const { address } of waiting) counts.set(address, (counts.get(address) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= MAX_REQUESTS_PER_HOST).map(([address]) => address)
}
