import test from 'ava'
import { createStage, type Stage } from './fixtures.ts'

let stage: Stage
test.before(async () => {
  stage = await createStage()
})
test.after.always(() => stage.end())

/** What was heard, and a wait for the next. */
function ear() {
  const heard: string[] = []
  let wake: () => void = () => {}
  return {
    heard,
    hear: (what: string) => {
      heard.push(what)
      wake()
    },
    async until(what: string): Promise<void> {
      while (!heard.includes(what))
        await new Promise<void>(resolve => {
          wake = resolve
        })
    },
  }
}

test.serial('delivers a notification to every listener of its channel and to no other', async t => {
  const [one, two, other] = [ear(), ear(), ear()]
  await stage.listen('a channel', one.hear, () => {})
  const quiet = await stage.listen('a channel', two.hear, () => {})
  await stage.listen('other', other.hear, () => {})
  await stage.notify('a channel', 'first')
  await Promise.all([one.until('first'), two.until('first')])
  await quiet()
  await stage.notify('a channel', 'second')
  await one.until('second')
  await stage.notify('other', 'third')
  await other.until('third')
  t.deepEqual([one.heard, two.heard, other.heard], [['first', 'second'], ['first'], ['third']])
})

test.serial('reconnects, reports the gap, and receives notifications again', async t => {
  const one = ear()
  await stage.listen('healing', one.hear, () => one.hear('gap'))
  for (const round of ['1', '2']) {
    one.heard.length = 0
    await stage.asOwner(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'larder listen'",
    )
    await one.until('gap')
    await stage.notify('healing', round)
    await one.until(round)
    t.deepEqual(one.heard, ['gap', round])
  }
})

test.serial('sends a notification even if the surrounding unit is rolled back', async t => {
  const one = ear()
  await stage.listen('outside', one.hear, () => {})
  await t.throwsAsync(
    stage.database.tenant('ten_a').transaction(async unit => {
      await unit.query('select 1')
      await stage.notify('outside', 'sent')
      throw new Error('no')
    }),
  )
  await one.until('sent')
  t.pass()
})
