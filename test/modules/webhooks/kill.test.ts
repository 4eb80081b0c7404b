import test from 'ava'
import { sendUnderFire } from './fire.ts'

test('workers that are killed in the middle lose no webhook and rename none', async t => {
  const { kills, again, ...damage } = await sendUnderFire({ sessions: 100, kills: 2, workers: 2 })
  t.log(`webhooks that had come at each kill: ${kills.join(', ')}; came again: ${again}`)
  t.deepEqual(damage, { lost: 0, renamed: 0, open: 0 })
})
