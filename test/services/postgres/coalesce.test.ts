import test from 'ava'
import { coalesceNotify } from '../../../services/postgres/coalesce.ts'

/** A `notify` whose calls end on demand. */
function slowNotify() {
  const complete: ((error?: Error) => void)[] = []
  const waiting: (() => void)[] = []
  let begun = 0
  return {
    complete: (error?: Error) => complete.shift()?.(error),
    begun: () => begun,
    /** Resolves once `count` calls have begun. */
    async until(count: number): Promise<void> {
      while (begun < count) await new Promise<void>(resolve => waiting.push(resolve))
    },
    notify: () =>
      new Promise<void>((resolve, reject) => {
        begun++
        complete.push(error => (error ? reject(error) : resolve()))
        for (const wake of waiting.splice(0)) wake()
      }),
  }
}

test('coalesces simultaneous calls, and calls during a notification, into one notification each', async t => {
  const { notify, until, complete, begun } = slowNotify()
  const wakeWorkers = coalesceNotify(notify, error => t.fail(String(error)))
  for (let i = 0; i < 100; i++) wakeWorkers()
  await until(1)
  for (let i = 0; i < 100; i++) wakeWorkers()
  t.is(begun(), 1)
  complete()
  await until(2)
  complete()
  wakeWorkers()
  await until(3)
  complete()
  t.is(begun(), 3)
})

test('reports a failed notification and sends the one requested meanwhile', async t => {
  const { notify, until, complete } = slowNotify()
  const errors: unknown[] = []
  const wakeWorkers = coalesceNotify(notify, error => errors.push(error))
  wakeWorkers()
  await until(1)
  wakeWorkers()
  complete(new Error('the database is away'))
  await until(2)
  complete()
  t.deepEqual(errors.map(String), ['Error: the database is away'])
})
