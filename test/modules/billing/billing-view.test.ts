import test from 'ava'
import { toView } from '../../../modules/billing/pages/billing-view.ts'

type Facts = Parameters<typeof toView>[0]
type Usage = Facts['usage'][number]

const plan = { key: 'free', name: 'Free', description: null, price: 0, entitlements: {}, credits: {} }

/** The row of one limit on the plan page. */
function rowOf(usage: Pick<Usage, 'kind' | 'limit' | 'used'> & Partial<Usage>) {
  const facts = {
    locale: 'en',
    translate: (text: unknown) => text,
    subscription: { state: 'free', given: false },
    plan,
    balances: [],
    usage: [{ key: 'files.size', name: null, unit: null, period: null, ...usage }],
    catalog: { plans: [], entitlements: new Map() },
    defaultPlan: 'free',
    mayChange: true,
    trialUsed: false,
  }
  return toView(facts as unknown as Facts).usage[0]
}

test('a bar shows the share of the limit, ends at it, and warns before', t => {
  t.like(rowOf({ kind: 'gauge', limit: 200, used: 0 }), { percent: 0, full: false, over: false, lacking: false })
  t.like(rowOf({ kind: 'gauge', limit: 200, used: 50 }), { percent: 25, full: false, over: false })
  t.like(rowOf({ kind: 'gauge', limit: 200, used: 180 }), { percent: 90, full: true, over: false })
  t.like(rowOf({ kind: 'gauge', limit: 200, used: 300 }), { percent: 100, full: true, over: true })
})

test('a limit has its unit and its period', t => {
  t.like(rowOf({ kind: 'gauge', limit: 2048, used: 512, unit: 'MiB' }), { used: '512 MiB', limit: '2,048 MiB' })
  t.like(rowOf({ kind: 'meter', limit: 20, used: 1, period: 'day' }), { name: 'Size', period: 'per day' })
})

test('what a plan lacks has no bar, unless some of it is left from another plan', t => {
  t.like(rowOf({ kind: 'gauge', limit: 0, used: 0 }), { lacking: true, over: false })
  t.like(rowOf({ kind: 'gauge', limit: 0, used: 2 }), { lacking: false, over: true, percent: 100 })
  t.like(rowOf({ kind: 'gauge', limit: -1, used: 2 }), { lacking: false, bounded: false, full: false })
  t.like(rowOf({ kind: 'flag', limit: 0, used: 0 }), { lacking: false, flag: true, on: false })
})
