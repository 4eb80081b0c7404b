import test from 'ava'
import { sendUnderFire } from './fire.ts'

test('no webhook is lost, renamed or made up where web and worker processes are killed in the middle', async t => {
  const { kills, again, ...damage } = await sendUnderFire({ sessions: 40, kills: 2 })
  t.log(`webhooks that had come at each kill: ${kills.join(', ')}; came again: ${again}`)
  t.deepEqual(damage, { lost: 0, made: 0, renamed: 0, open: 0 })
})
