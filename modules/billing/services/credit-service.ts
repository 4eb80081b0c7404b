/** Changes of credit balances: each writes a ledger entry, under a lock on (subject, key). */
import { common, type Deps, invalidField, newId, type Unit, wording } from '@larder-dev/larder/kernel'
import {
  type Account,
  addCredits,
  deductCredits,
  type Entry,
  expireLots,
  latestExpiry,
  type Posting,
} from '../domain/credit-ledger.ts'
import { nameOf } from '../domain/plans.ts'
import type { Subject } from '../domain/subject.ts'
import { problems } from '../problems.ts'
import type { LedgerEntry } from '../records.ts'
import { createCreditRepository, type EntryDetails, type EntryTarget } from './credit-repository.ts'
import type { PlanCatalog } from './plan-catalog.ts'

const EXPIRED: EntryDetails = {
  reason: 'expired',
  reference: null,
  source: null,
  actor: { kind: 'system', id: 'billing' },
}
const EVENT_NAMES = { grant: 'granted', refund: 'refunded', adjust: 'adjusted', expire: 'expired' } as const

export interface Grant extends EntryDetails {
  readonly key: string
  readonly amount: number
  /** Milliseconds since 1970; null: never expires. */
  readonly expiresAt: number | null
}
export interface Consumption extends EntryDetails {
  readonly key: string
  readonly amount: number
}
/** All methods run in the given unit of work. */
export interface CreditService {
  /** Null if a grant with the same source exists. */
  grant(unit: Unit, subject: Subject, grant: Grant): Promise<LedgerEntry | null>
  /** Returns the first entry again if one with the same source exists. Throws `insufficient_credits`. */
  consume(unit: Unit, subject: Subject, consumption: Consumption): Promise<LedgerEntry>
  /** A positive amount is added and never expires; a negative one is deducted. Throws `insufficient_credits`. */
  adjust(unit: Unit, subject: Subject, adjustment: Consumption): Promise<LedgerEntry>
  /** Refunds a consumption in full or in part. @param pointer to `entryId` in the request, for errors. */
  refund(
    unit: Unit,
    subject: Subject,
    refund: Consumption & { readonly entryId: string },
    pointer: string,
  ): Promise<LedgerEntry>
  /** Writes off expired credits of one key. */
  expire(unit: Unit, subject: Subject, key: string): Promise<void>
  /** Throws 422 unless the recipe declares credits with this key. */
  assertCreditKey(key: string): void
}

type Decide = (account: Account, id: string) => Posting | null | Promise<Posting | null>

type CreditDeps = Deps<'clock' | 'events'> & { readonly catalog: PlanCatalog }

export function createCreditService(deps: CreditDeps): CreditService {
  const { clock, events, catalog } = deps
  const repository = createCreditRepository(deps)
  const newEntryId = () => newId('crd', clock.now())

  async function publishEntry(
    { tenantId, memberId }: Subject,
    key: string,
    { id, kind, amount, after }: Entry,
  ): Promise<void> {
    // Consumptions are too frequent for events, and the caller gets the result.
    if (kind === 'consume') return
    const payload = { entryId: id, ...(memberId && { memberId }), key, kind, amount, balance: after }
    await events.publish(`billing.credit.${EVENT_NAMES[kind]}`, { tenantId, subject: id, payload })
  }

  /** Locks the account, writes off expired lots, and writes the entry that `decide` returns, once per source. */
  async function post(
    unit: Unit,
    target: EntryTarget,
    decide: Decide,
  ): Promise<{ readonly entry: LedgerEntry | null; readonly isRepeat: boolean }> {
    const { subject, key } = target
    const locked = await repository.lockAccount(unit, target)
    if (locked.existing) return { entry: locked.existing, isRepeat: true }
    const { account, entries } = expireLots(locked.account, clock.now(), newEntryId)
    for (const entry of entries) {
      await repository.insertEntry(unit, { subject, key, details: EXPIRED }, entry)
      await publishEntry(subject, key, entry)
    }
    const posting = await decide(account, newEntryId())
    if (!posting) return { entry: null, isRepeat: false }
    await publishEntry(subject, key, posting.entry)
    return { entry: await repository.insertEntry(unit, target, posting.entry), isRepeat: false }
  }

  const deduction =
    (kind: 'consume' | 'adjust', key: string, amount: number) =>
    (account: Account, id: string): Posting => {
      const { balance } = account
      const posting = deductCredits(account, { id, kind, amount })
      const name = nameOf(catalog.entitlements.get(key) ?? { key })
      if (!posting) throw problems.insufficient_credits({ name, amount, balance }, { key, requested: amount, balance })
      return posting
    }

  function assertCreditKey(key: string): void {
    if (catalog.entitlements.get(key)?.kind !== 'credit')
      throw invalidField('/key', 'unknown_credit', wording("isn't a credit of this product"))
  }

  return {
    async grant(unit, subject, { key, amount, expiresAt, ...details }) {
      const { entry, isRepeat } = await post(unit, { subject, key, details }, (account, id) =>
        addCredits(account, { id, kind: 'grant', amount, expiresAt }),
      )
      return isRepeat ? null : entry
    },

    async consume(unit, subject, { key, amount, ...details }) {
      assertCreditKey(key)
      const posted = await post(unit, { subject, key, details }, deduction('consume', key, amount))
      const entry = posted.entry as LedgerEntry
      if (posted.isRepeat && (entry.key !== key || entry.amount !== -amount)) throw common.idempotency_mismatch()
      return entry
    },

    async adjust(unit, subject, { key, amount, ...details }) {
      assertCreditKey(key)
      const addition: Decide = (account, id) => addCredits(account, { id, kind: 'adjust', amount, expiresAt: null })
      const decide = amount > 0 ? addition : deduction('adjust', key, -amount)
      return (await post(unit, { subject, key, details }, decide)).entry as LedgerEntry
    },

    async refund(unit, subject, { entryId, key, amount, ...details }, pointer) {
      const consumption = await repository.findEntry(unit, subject, entryId)
      if (consumption?.kind !== 'consume' || consumption.key !== key)
        throw invalidField(
          pointer,
          'unknown_entry',
          wording('must be the id of a consumption of {key}, such as crd_…', { key }),
        )
      const target = { subject, key, details: { ...details, reference: entryId } }
      const posted = await post(unit, target, async (account, id) => {
        const { refunded, expiries } = await repository.refundState(unit, subject.tenantId, entryId)
        const refundable = -consumption.amount - refunded
        if (amount > refundable)
          throw invalidField(
            '/amount',
            'too_much',
            wording('must be at most {amount}, the amount not yet refunded', { amount: refundable }),
          )
        return addCredits(account, { id, kind: 'refund', amount, expiresAt: latestExpiry(expiries) })
      })
      return posted.entry as LedgerEntry
    },

    async expire(unit, subject, key) {
      await post(unit, { subject, key, details: EXPIRED }, () => null)
    },

    assertCreditKey,
  }
}
