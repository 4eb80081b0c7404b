import test from 'ava'
import { sendDuringKills } from './kill-scenario.ts'

test('neither loses nor duplicates webhooks when web and worker processes are killed', async t => {
  const { kills, again, ...damage } = await sendDuringKills({ sessions: 40, kills: 2 })
  t.log(`webhooks received before each kill: ${kills.join(', ')}; duplicates: ${again}`)
  t.deepEqual(damage, { lost: 0, made: 0, renamed: 0, open: 0 })
})
