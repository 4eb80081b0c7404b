/** Selects the next delivery of a host, so that a slow URL delays other URLs of the host as little as possible. Pure. */

/** Concurrent requests to one host. */
export const MAX_REQUESTS_PER_HOST = 4
/** Upper bound of concurrent requests to one URL that hasn't responded yet, and to all slow URLs together. */
const MAX_UNPROVEN = 2

export interface Scheduled {
  /** Host and path. */
  readonly address: string
  /** Deliveries with the same key are sent in their order; null for those without an order. */
  readonly orderKey?: string | null
  readonly tenant_id?: string
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
  const inFlightOf = (tenant: string | undefined) => inFlight.filter(({ tenant_id }) => tenant_id === tenant).length
  /** The oldest of the tenant with the fewest requests in flight. */
  const first = (includeSlow: boolean): number => {
    const earlier = new Set(inFlight.map(({ orderKey }) => orderKey))
    const seen = new Set<string | undefined>()
    let [best, fewest] = [-1, MAX_REQUESTS_PER_HOST]
    // Each request searches the queue, which can be long: an iterator takes twice as long.
    for (let index = 0; index < waiting.length; index++) {
      const delivery = waiting[index] as Scheduled
      const { address, orderKey = null, tenant_id } = delivery
      if (orderKey === null && seen.has(tenant_id)) continue
      const isHeldBack = orderKey !== null && earlier.has(orderKey)
      earlier.add(orderKey)
      const speed = speedOf(address)
      if (isHeldBack || seen.has(tenant_id) || (speed === 'slow' && !includeSlow) || !maySend(delivery, speed)) continue
      seen.add(tenant_id)
      const count = inFlightOf(tenant_id)
      if (count < fewest) [best, fewest] = [index, count]
      if (fewest === 0) break
    }
    return best
  }
  const healthy = first(false)
  const next = healthy >= 0 ? healthy : first(true)
  return next >= 0 ? next : undefined
}

/** Deliveries to a quick address that wait before the process claims more, so that requests don't wait for a claim. */
const ENOUGH_QUICK = 64

/** Whether so many deliveries wait that the process claims no more of them. */
export function isFull(waiting: readonly Scheduled[], speedOf: (address: string) => ResponseSpeed): boolean {
  let level = 0
  for (const { address } of waiting) {
    level += 1 / (speedOf(address) === 'quick' ? ENOUGH_QUICK : MAX_REQUESTS_PER_HOST)
    if (level >= 1) return true
  }
  return false
}

/** What the next claim can omit, because enough of it waits: addresses, and tenants of a host as `host tenant`. */
export function saturated(
  waiting: readonly (Scheduled & { readonly host: string; readonly tenant_id: string })[],
  speedOf: (address: string) => ResponseSpeed,
) {
  const full = (keyOf: (delivery: (typeof waiting)[number]) => string): string[] => {
    const queues = new Map<string, Scheduled[]>()
    for (const delivery of waiting) {
      const key = keyOf(delivery)
      const queue = queues.get(key)
      if (queue) queue.push(delivery)
      else queues.set(key, [delivery])
    }
    return [...queues].filter(([, queue]) => isFull(queue, speedOf)).map(([key]) => key)
  }
  return {
    addresses: full(({ address }) => address),
    hostTenants: full(({ host, tenant_id }) => `${host} ${tenant_id}`),
  }
}
