import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { together } from '../../../kernel/base/together.ts'

const after = async <T>(milliseconds: number, value: T): Promise<T> => pause(milliseconds, value)
const failing = (milliseconds: number, message: string) =>
  after(milliseconds, message).then(text => {
    throw new Error(text)
  })

test('returns each result under its name, also of work that is no promise', async t => {
  const { slow, quick, plain } = await together({ slow: after(10, 1), quick: after(0, 'two'), plain: undefined })
  t.deepEqual([slow, quick, plain], [1, 'two', undefined])
})

test('throws the first error in the order of the names, whichever came first', async t => {
  const work = { fine: after(0, 1), middle: failing(10, 'middle'), last: failing(0, 'last') }
  await t.throwsAsync(together(work), { message: 'middle' })
})

test('an error in the middle is thrown only after the other work has ended', async t => {
  let ended = false
  const last = after(20, undefined).then(() => {
    ended = true
  })
  await t.throwsAsync(together({ first: after(0, 1), middle: failing(0, 'middle'), last }), { message: 'middle' })
  t.true(ended)
})
