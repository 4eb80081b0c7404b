/** What clients were told, by the fault during which they were told it. */

/** Outcomes of one fault. */
export interface Phase {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly began: number
  /** The keys of rows that were confirmed. */
  readonly rows: string[]
  /** Addresses of confirmed invitations. */
  readonly invitations: string[]
  /** Confirmed uploads: their id, and their content. */
  readonly uploads: Map<string, string>
  /** Confirmed requests, reads included. */
  requests: number
  /** 503 with a code of Larder and `Retry-After`. The client repeats the request. */
  refused: number
  /** Every other outcome. The client repeats the request. */
  readonly failed: string[]
  /** Milliseconds without a confirmed write, by the way that requests took; `any` for all ways. */
  readonly longestOutageMs: Map<string, number>
}

export interface Ledger {
  readonly phases: readonly Phase[]
  current(): Phase
  begin(name: string): Phase
  /** A write was confirmed. */
  confirmed(way: string): void
  /** The number of confirmed writes of this way. */
  count(way: string): number
  /** Starts to measure a way, after a pause. */
  restart(way: string): void
}

const ANY = 'any'

export function createLedger(): Ledger {
  const phases: Phase[] = []
  const last = new Map<string, number>()
  const counts = new Map<string, number>()
  const current = () => phases.at(-1) as Phase
  function note(way: string): void {
    const now = performance.now()
    const { longestOutageMs } = current()
    const outage = now - (last.get(way) ?? now)
    longestOutageMs.set(way, Math.max(longestOutageMs.get(way) ?? 0, outage))
    last.set(way, now)
    counts.set(way, (counts.get(way) ?? 0) + 1)
  }
  return {
    phases,
    current,
    begin(name) {
      phases.push({
        name,
        began: Date.now(),
        rows: [],
        invitations: [],
        uploads: new Map(),
        requests: 0,
        refused: 0,
        failed: [],
        longestOutageMs: new Map(),
      })
      return current()
    },
    confirmed(way) {
      note(way)
      note(ANY)
    },
    count: way => counts.get(way) ?? 0,
    restart: way => void last.delete(way),
  }
}
