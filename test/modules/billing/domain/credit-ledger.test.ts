import test from 'ava'
import fc from 'fast-check'
import {
  type Account,
  addCredits,
  deductCredits,
  type Entry,
  expireLots,
  latestExpiry,
} from '../../../../modules/billing/domain/credit-ledger.ts'

const EMPTY: Account = { balance: 0, lots: [] }
let made = 0
const newId = () => `crd_${String(++made).padStart(8, '0')}`
const granted = (...grants: (readonly [amount: number, expiresAt: number | null])[]): Account =>
  grants.reduce(
    (account, [amount, expiresAt]) => addCredits(account, { id: newId(), kind: 'grant', amount, expiresAt }).account,
    EMPTY,
  )
const left = ({ lots }: Account) => lots.map(({ remaining, expiresAt }) => [remaining, expiresAt])

test('deducts from the earliest expiry first, then from the older grant', t => {
  const account = granted([5, null], [5, 20], [5, 10], [5, 20])
  const posted = deductCredits(account, { id: newId(), kind: 'consume', amount: 12 })
  t.deepEqual(left(posted?.account as Account), [
    [5, null],
    [3, 20],
  ])
  t.deepEqual(
    posted?.entry.allocations.map(({ amount }) => amount),
    [5, 5, 2],
  )
  t.like(posted?.entry, { kind: 'consume', amount: -12, before: 20, after: 8 })
})

test('deducts nothing if the balance is too small', t => {
  t.is(deductCredits(granted([3, null]), { id: newId(), kind: 'consume', amount: 4 }), null)
  t.is(deductCredits(EMPTY, { id: newId(), kind: 'adjust', amount: 1 }), null)
})

test('writes off each expired grant with its own entry', t => {
  const { account, entries } = expireLots(granted([5, 10], [2, null], [7, 11], [1, 12]), 11, newId)
  t.deepEqual(
    entries.map(({ amount, after }) => [amount, after]),
    [
      [-5, 10],
      [-7, 3],
    ],
  )
  t.deepEqual(left(account), [
    [2, null],
    [1, 12],
  ])
  t.deepEqual(expireLots(account, 11, newId).entries, [])
})

test('gives a refund the latest expiry of its grants', t => {
  t.is(latestExpiry([10, 20]), 20)
  t.is(latestExpiry([10, null]), null)
  t.is(latestExpiry([]), null)
})

const amount = fc.integer({ min: 1, max: 50 })
const command = fc.oneof(
  fc.record({
    do: fc.constant('grant' as const),
    amount,
    expiresAt: fc.option(fc.integer({ min: 0, max: 30 }), { nil: null }),
  }),
  fc.record({ do: fc.constant('consume' as const), amount }),
  fc.record({ do: fc.constant('expire' as const), now: fc.integer({ min: 0, max: 30 }) }),
)

test('keeps the balance equal to the sums of entries and lots under any commands', t => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), commands => {
      let account = EMPTY
      const entries: Entry[] = []
      for (const one of commands) {
        if (one.do === 'expire') {
          const expired = expireLots(account, one.now, newId)
          entries.push(...expired.entries)
          account = expired.account
          continue
        }
        const posted =
          one.do === 'grant'
            ? addCredits(account, { id: newId(), kind: 'grant', amount: one.amount, expiresAt: one.expiresAt })
            : deductCredits(account, { id: newId(), kind: 'consume', amount: one.amount })
        if (!posted) {
          if (account.balance >= one.amount) return false
          continue
        }
        entries.push(posted.entry)
        account = posted.account
      }
      return isSound(account, entries)
    }),
    { numRuns: 500 },
  )
  t.pass()
})

function isSound({ balance, lots }: Account, entries: readonly Entry[]): boolean {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const chained = entries.every(
    (entry, i) => entry.before === (entries[i - 1]?.after ?? 0) && entry.after === entry.before + entry.amount,
  )
  const deducted = new Map<string, number>()
  for (const { allocations, amount } of entries) {
    if (amount < 0 && sum(allocations.map(allocation => allocation.amount)) !== -amount) return false
    for (const allocation of allocations)
      deducted.set(allocation.grantId, (deducted.get(allocation.grantId) ?? 0) + allocation.amount)
  }
  const grants = entries.filter(({ amount }) => amount > 0)
  return (
    chained &&
    balance >= 0 &&
    sum(entries.map(entry => entry.amount)) === balance &&
    sum(lots.map(lot => lot.remaining)) === balance &&
    grants.every(({ id, amount }) => (deducted.get(id) ?? 0) <= amount)
  )
}
