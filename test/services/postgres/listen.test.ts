import test from 'ava'
import { createFixture, type Fixture } from './fixtures.ts'

let fixture: Fixture
test.before(async () => {
  fixture = await createFixture()
})
test.after.always(() => fixture.end())

/** Received notifications, and a wait for the next one. */
function ear() {
  const received: string[] = []
  let wake: () => void = () => {}
  return {
    received,
    hear: (what: string) => {
      received.push(what)
      wake()
    },
    async until(what: string): Promise<void> {
      while (!received.includes(what))
        await new Promise<void>(resolve => {
          wake = resolve
        })
    },
  }
}

test.serial('delivers a notification to every listener of its channel and to no other', async t => {
  const [one, two, other] = [ear(), ear(), ear()]
  await fixture.listen('a channel', one.hear, () => {})
  const quiet = await fixture.listen('a channel', two.hear, () => {})
  await fixture.listen('other', other.hear, () => {})
  await fixture.notify('a channel', 'first')
  await Promise.all([one.until('first'), two.until('first')])
  await quiet()
  await fixture.notify('a channel', 'second')
  await one.until('second')
  await fixture.notify('other', 'third')
  await other.until('third')
  t.deepEqual([one.received, two.received, other.received], [['first', 'second'], ['first'], ['third']])
})

test.serial('reconnects, reports the gap, and receives notifications again', async t => {
  const one = ear()
  await fixture.listen('healing', one.hear, () => one.hear('gap'))
  for (const round of ['1', '2']) {
    one.received.length = 0
    await fixture.asOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'larder listen'`,
    )
    await one.until('gap')
    await fixture.notify('healing', round)
    await one.until(round)
    t.deepEqual(one.received, ['gap', round])
  }
})

test.serial('sends a notification even if the surrounding unit is rolled back', async t => {
  const one = ear()
  await fixture.listen('outside', one.hear, () => {})
  await t.throwsAsync(
    fixture.database.tenant('ten_a').transaction(async unit => {
      await unit.query('select 1')
      await fixture.notify('outside', 'sent')
      throw new Error('no')
    }),
  )
  await one.until('sent')
  t.pass()
})
