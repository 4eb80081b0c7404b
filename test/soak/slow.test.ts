import test from 'ava'
import { SECOND } from '../../kernel/base/units.ts'
import { connectSlowClients } from '../reliability/slow.ts'
import { percentile } from './percentile.ts'

test('closes 500 slow clients of each kind within 15 s, and responds to others meanwhile', async t => {
  const { cutAfterMs, responseMs, failed } = await connectSlowClients(t, { each: 500 })
  const p99 = percentile(responseMs, 0.99)
  t.log(`closed after ${JSON.stringify(cutAfterMs)} ms; p99 of others ${p99.toFixed(0)} ms of ${responseMs.length}`)
  t.is(failed, 0)
  t.true(Object.values(cutAfterMs).every(ms => ms <= 15 * SECOND))
  t.true(p99 < 200)
})
