import test from 'ava'
import { SECOND } from '../../kernel/base/units.ts'
import { holdOn } from '../reliability/slow.ts'
import { percentile } from './percentile.ts'

test('500 of each kind of slow client are cut within 15 s, and others get their answers', async t => {
  const { cut, others, failed } = await holdOn(t, { each: 500 })
  const p99 = percentile(others, 0.99)
  t.log(`cut after ${JSON.stringify(cut)} ms; others' p99 ${p99.toFixed(0)} ms of ${others.length}`)
  t.is(failed, 0)
  t.true(Object.values(cut).every(ms => ms <= 15 * SECOND))
  t.true(p99 < 200)
})
