import test from 'ava'
import { measureMemoryGrowth } from '../reliability/memory.ts'

test('memory grows by less than 1 MiB per minute in 30 minutes at half load', async t => {
  const { maxRate, rate, samples, slope, failed } = await measureMemoryGrowth(t, { minutes: 30, probe: 10 })
  t.log(`${maxRate.toFixed(0)} requests/s at most, ${rate.toFixed(0)} sent; ${failed} failed`)
  t.log(
    `resident ${samples[0]?.toFixed(0)} MiB at first, ${samples.at(-1)?.toFixed(0)} MiB at last: ${slope.toFixed(2)} MiB per minute`,
  )
  t.is(failed, 0)
  t.true(slope < 1)
})
