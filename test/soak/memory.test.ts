import test from 'ava'
import { watchMemory } from '../reliability/memory.ts'

test('for 30 minutes at half load memory grows by less than 1 MiB a minute', async t => {
  const { most, asked, samples, slope, failed } = await watchMemory(t, { minutes: 30, probe: 10 })
  t.log(`${most.toFixed(0)} requests a second at most, asked ${asked.toFixed(0)}; ${failed} failed`)
  t.log(
    `resident ${samples[0]?.toFixed(0)} MiB at first, ${samples.at(-1)?.toFixed(0)} MiB at last: ${slope.toFixed(2)} MiB a minute`,
  )
  t.is(failed, 0)
  t.true(slope < 1)
})
