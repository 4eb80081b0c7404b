/** Credits in the database: every change of a balance is an entry, under a lock on (tenant, key). */
import { common, type Deps, newId, type Unit } from 'larder/kernel'
import { type Account, add, type Entry, expire, latest, type Posted, take } from '../domain/credit-ledger.ts'
import { invalidField, problems } from '../problems.ts'
import type { LedgerEntry } from '../schemas.ts'
import { type About, createAccounts, type Note } from './credit-repository.ts'
import type { Catalogue } from './plan-catalog.ts'

const LAPSED: Note = { reason: 'expired', reference: null, source: null, by: { kind: 'system', id: 'billing' } }
const WORDS = { grant: 'granted', refund: 'refunded', adjust: 'adjusted', expire: 'expired' } as const

export interface Grant extends Note {
  readonly key: string
  readonly amount: number
  readonly expiresAt: number | null
}
export interface Consumption extends Note {
  readonly key: string
  readonly amount: number
}

export function createCredits(deps: Deps<'database' | 'clock' | 'events'>, catalogue: Catalogue) {
  const { clock, events } = deps
  const accounts = createAccounts(deps)
  const freshId = () => newId('crd', clock.now())

  function mustBeCredit(key: string): void {
    if (catalogue.entitlements.get(key)?.kind !== 'credit')
      throw invalidField('/key', 'unknown_credit', 'is no credit of this product')
  }

  async function tell(tenantId: string, key: string, { id, kind, amount, after }: Entry): Promise<void> {
    // What is drawn is drawn too often to be told; whoever draws knows it.
    if (kind === 'consume') return
    const payload = { entryId: id, key, kind, amount, balance: after }
    await events.publish(`billing.credit.${WORDS[kind]}`, { tenantId, subject: id, payload })
  }

  /** Opens the account, lets go what has expired, and writes what `decide` makes of the rest; once for each source. */
  async function post(
    unit: Unit,
    about: About,
    decide: (account: Account, id: string) => Posted | null | Promise<Posted | null>,
  ): Promise<{ readonly entry: LedgerEntry | null; readonly again: boolean }> {
    const { tenantId, key } = about
    const opened = await accounts.open(unit, about)
    if (opened.earlier) return { entry: opened.earlier, again: true }
    const { account, entries } = expire(opened.account, clock.now(), freshId)
    for (const entry of entries) {
      await accounts.write(unit, { tenantId, key, note: LAPSED }, entry)
      await tell(tenantId, key, entry)
    }
    const posted = await decide(account, freshId())
    if (!posted) return { entry: null, again: false }
    await tell(tenantId, key, posted.entry)
    return { entry: await accounts.write(unit, about, posted.entry), again: false }
  }

  const drawing =
    (kind: 'consume' | 'adjust', key: string, amount: number) =>
    (account: Account, id: string): Posted => {
      const { balance } = account
      const taken = take(account, { id, kind, amount })
      if (!taken) throw problems.insufficient_credits({ key, amount, balance }, { key, requested: amount, balance })
      return taken
    }

  /** Null where the same thing was granted before. */
  async function grant(unit: Unit, tenantId: string, { key, amount, expiresAt, ...note }: Grant) {
    const { entry, again } = await post(unit, { tenantId, key, note }, (account, id) =>
      add(account, { id, kind: 'grant', amount, expiresAt }),
    )
    return again ? null : entry
  }

  /** A second time for the same source is the first answer again. Throws `insufficient_credits`. */
  async function consume(unit: Unit, tenantId: string, { key, amount, ...note }: Consumption): Promise<LedgerEntry> {
    mustBeCredit(key)
    const posted = await post(unit, { tenantId, key, note }, drawing('consume', key, amount))
    const entry = posted.entry as LedgerEntry
    if (posted.again && (entry.key !== key || entry.amount !== -amount)) throw common.idempotency_mismatch()
    return entry
  }

  /** Above zero it comes on top and never expires, below it is drawn like any other. */
  async function adjust(unit: Unit, tenantId: string, { key, amount, ...note }: Consumption): Promise<LedgerEntry> {
    mustBeCredit(key)
    const onTop = (account: Account, id: string) => add(account, { id, kind: 'adjust', amount, expiresAt: null })
    const decide = amount > 0 ? onTop : drawing('adjust', key, -amount)
    return (await post(unit, { tenantId, key, note }, decide)).entry as LedgerEntry
  }

  /** Gives back what an entry drew, or a part of it. */
  async function refund(
    unit: Unit,
    tenantId: string,
    { entryId, key, amount, ...note }: Consumption & { entryId: string },
  ): Promise<LedgerEntry> {
    const drawn = await accounts.find(unit, tenantId, entryId)
    if (drawn?.kind !== 'consume' || drawn.key !== key)
      throw invalidField(
        '/reference',
        'unknown_entry',
        `must be the id of a consumption of ${key}, crd_…: they stand in the ledger`,
      )
    const about = { tenantId, key, note: { ...note, reference: entryId } }
    const posted = await post(unit, about, async (account, id) => {
      const { back, expiries } = await accounts.returned(unit, tenantId, entryId)
      const most = -drawn.amount - back
      if (amount > most)
        throw invalidField('/amount', 'too_much', `must be at most ${most}: that is what is still drawn`)
      return add(account, { id, kind: 'refund', amount, expiresAt: latest(expiries) })
    })
    return posted.entry as LedgerEntry
  }

  return {
    grant,
    consume,
    adjust,
    refund,
    mustBeCredit,
    accounts,
    /** Lets go what has expired. */
    lapse: async (unit: Unit, tenantId: string, key: string, note: Note) => {
      await post(unit, { tenantId, key, note }, () => null)
    },
  }
}
export type Credits = ReturnType<typeof createCredits>
