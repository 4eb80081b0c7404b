import { cpus, loadavg } from 'node:os'
import test from 'ava'
import { MINUTE } from '../../kernel/base/units.ts'
import { abuse, type Samples } from '../reliability/abuse.ts'
import { percentile } from './percentile.ts'

/** The limit of the web process while it receives progressive images. */
const MAX_RESIDENT_MIB = 256
/** The limit of each of two worker threads, which all attacks together keep busy. */
const MAX_THREAD_MIB = 64
/** The smallest p99 to compare with, so that a p99 of twice this time always passes. */
const FLOOR_MS = 20

const p99 = (samples: readonly number[] = []) => percentile(samples, 0.99)
const all = (samples: Samples) => Object.values(samples).flat()

test('ordinary users are served within twice the usual time during mail bombs, costly content and oversized input', async t => {
  const minutes = Number(process.env.MINUTES ?? 10)
  const attackMs = minutes * MINUTE
  const quietMs = Math.max(MINUTE / 2, attackMs / 4)
  t.log(`load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} processors before the run`)
  const { quiet, attacked, failed, statuses, residentMib, victimMails } = await abuse(t, {
    quietMs,
    attackMs,
  })
  for (const kind of Object.keys(quiet))
    t.log(`${kind}: p99 ${p99(quiet[kind]).toFixed(1)} ms quiet, ${p99(attacked[kind]).toFixed(1)} ms attacked`)
  const [before, during] = [p99(all(quiet)), p99(all(attacked))]
  t.log(`all: p99 ${before.toFixed(1)} ms of ${all(quiet).length}, ${during.toFixed(1)} ms of ${all(attacked).length}`)
  const sizes = Object.entries(residentMib).map(([phase, mib]) => `${mib.toFixed(0)} MiB ${phase}`)
  t.log(`web process: ${sizes.join(', ')}`)
  t.log(`mails to the victim: ${victimMails}; attacks: ${JSON.stringify(statuses)}`)
  t.deepEqual(failed, {})
  t.true(during <= 2 * Math.max(before, FLOOR_MS))
  t.true(residentMib.images <= MAX_RESIDENT_MIB)
  t.true(residentMib.attacked <= MAX_RESIDENT_MIB + 2 * MAX_THREAD_MIB)
  // 20 an hour, and 10 that were sent by API.
  t.true(victimMails <= 2 * 30)
})
