import test from 'ava'
import { coalesceNotify } from '../../../kernel/base/coalesce.ts'

/** NOTIFYs that land when they are told to, and the moments at which each begins. */
function slowNotify() {
  const land: ((error?: Error) => void)[] = []
  const waiting: (() => void)[] = []
  let begun = 0
  return {
    land: (error?: Error) => land.shift()?.(error),
    begun: () => begun,
    /** Resolves once so many have begun. */
    async until(count: number): Promise<void> {
      while (begun < count) await new Promise<void>(resolve => waiting.push(resolve))
    },
    notify: () =>
      new Promise<void>((resolve, reject) => {
        begun++
        land.push(error => (error ? reject(error) : resolve()))
        for (const wake of waiting.splice(0)) wake()
      }),
  }
}

test('coalesces simultaneous calls, and calls during a notification, into one notification each', async t => {
  const { notify, until, land, begun } = slowNotify()
  const poke = coalesceNotify(notify, error => t.fail(String(error)))
  for (let i = 0; i < 100; i++) poke()
  await until(1)
  for (let i = 0; i < 100; i++) poke()
  t.is(begun(), 1)
  land()
  await until(2)
  land()
  poke()
  await until(3)
  land()
  t.is(begun(), 3)
})

test('reports a failed notification and sends the one requested meanwhile', async t => {
  const { notify, until, land } = slowNotify()
  const errors: unknown[] = []
  const poke = coalesceNotify(notify, error => errors.push(error))
  poke()
  await until(1)
  poke()
  land(new Error('the database is away'))
  await until(2)
  land()
  t.deepEqual(errors.map(String), ['Error: the database is away'])
})
