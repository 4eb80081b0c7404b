import { setImmediate as turn } from 'node:timers/promises'
import test from 'ava'
import { Problem } from '../../../../../kernel/base/problem.ts'
import { createConcurrencyLimit } from '../../../../../modules/identity/sign-in/password/concurrency-limit.ts'

test('runs at most the given number of tasks at a time and survives failures', async t => {
  const run = createConcurrencyLimit({ concurrency: 2, maxWaiting: 100 })
  let running = 0
  let most = 0
  const works = Array.from({ length: 20 }, (_, i) =>
    run(async () => {
      running++
      most = Math.max(most, running)
      await turn()
      running--
      if (i % 3 === 0) throw new Error('on purpose')
      return i
    }),
  )
  const ends = await Promise.allSettled(works)
  t.is(most, 2)
  t.is(ends.filter(end => end.status === 'fulfilled').length, 13)
  t.is(await run(async () => 'still good'), 'still good')
})

test('answers 503 with Retry-After when its queue is full', async t => {
  const run = createConcurrencyLimit({ concurrency: 1, maxWaiting: 1 })
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const held = [run(() => gate), run(() => gate)]
  const refusal = await t.throwsAsync(run(async () => undefined))
  t.true(Problem.is(refusal) && refusal.status === 503 && refusal.headers['retry-after'] === '5')
  open()
  await Promise.all(held)
  await t.notThrowsAsync(run(async () => undefined))
})
