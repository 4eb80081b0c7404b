import test from 'ava'
import fc from 'fast-check'
import { type Account, add, type Entry, expire, latest, take } from '../../../../modules/billing/domain/credit-ledger.ts'

const EMPTY: Account = { balance: 0, lots: [] }
let made = 0
const newId = () => `crd_${String(++made).padStart(8, '0')}`
const granted = (...grants: (readonly [amount: number, expiresAt: number | null])[]): Account =>
  grants.reduce(
    (account, [amount, expiresAt]) => add(account, { id: newId(), kind: 'grant', amount, expiresAt }).account,
    EMPTY,
  )
const left = ({ lots }: Account) => lots.map(({ remaining, expiresAt }) => [remaining, expiresAt])

test('what expires first is drawn first, what never expires last, and of one time the older grant', t => {
  const account = granted([5, null], [5, 20], [5, 10], [5, 20])
  const posted = take(account, { id: newId(), kind: 'consume', amount: 12 })
  t.deepEqual(left(posted?.account as Account), [
    [5, null],
    [3, 20],
  ])
  t.deepEqual(
    posted?.entry.draws.map(({ amount }) => amount),
    [5, 5, 2],
  )
  t.like(posted?.entry, { kind: 'consume', amount: -12, before: 20, after: 8 })
})

test('more than there is is not drawn, not even in part', t => {
  t.is(take(granted([3, null]), { id: newId(), kind: 'consume', amount: 4 }), null)
  t.is(take(EMPTY, { id: newId(), kind: 'adjust', amount: 1 }), null)
})

test('what has expired goes, each grant by an entry of its own', t => {
  const { account, entries } = expire(granted([5, 10], [2, null], [7, 11], [1, 12]), 11, newId)
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
  t.deepEqual(expire(account, 11, newId).entries, [])
})

test('what comes back lives as long as the longest-lived of what it came from', t => {
  t.is(latest([10, 20]), 20)
  t.is(latest([10, null]), null)
  t.is(latest([]), null)
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

test('whatever is granted, drawn and expires: the sum of the entries, of the lots and the balance are one', t => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), commands => {
      let account = EMPTY
      const entries: Entry[] = []
      for (const one of commands) {
        if (one.do === 'expire') {
          const gone = expire(account, one.now, newId)
          entries.push(...gone.entries)
          account = gone.account
          continue
        }
        const posted =
          one.do === 'grant'
            ? add(account, { id: newId(), kind: 'grant', amount: one.amount, expiresAt: one.expiresAt })
            : take(account, { id: newId(), kind: 'consume', amount: one.amount })
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
  const drawn = new Map<string, number>()
  for (const { draws, amount } of entries) {
    if (amount < 0 && sum(draws.map(draw => draw.amount)) !== -amount) return false
    for (const draw of draws) drawn.set(draw.grantId, (drawn.get(draw.grantId) ?? 0) + draw.amount)
  }
  const grants = entries.filter(({ amount }) => amount > 0)
  return (
    chained &&
    balance >= 0 &&
    sum(entries.map(entry => entry.amount)) === balance &&
    sum(lots.map(lot => lot.remaining)) === balance &&
    grants.every(({ id, amount }) => (drawn.get(id) ?? 0) <= amount)
  )
}
