import anyTest, { type TestFn } from 'ava'
import type { Person } from '../../../testing/index.ts'
import { type Mate, mustBe } from '../people.ts'
import { at, type Conversation, type Stage, say, stage, talk } from './stage.ts'

const MINUTE = 60_000

interface Context {
  house: Stage
  ada: Person
  bob: Mate
}
const test = anyTest as TestFn<Context>

test.beforeEach(async t => {
  const house = await stage({ messaging: { notifyAfter: '10m' } })
  const ada = await house.person('Ada')
  t.context = { house, ada, bob: await house.colleague(ada, undefined, 'Bob') }
})
test.afterEach.always(t => t.context.house?.stop())

/** Subjects of mail about messages to this address, oldest first; after everything due was done. */
async function mailTo({ house }: Context, { email }: { email: string }): Promise<string[]> {
  await house.kernel.settled()
  const { database } = house.kernel.kernel.ports
  const { rows } = await database
    .system('a test reads the mail')
    .query<{ subject: string }>(
      `select subject from comms_messages where recipient = $1 and template = 'messaging.unread' order by id`,
      [email],
    )
  return rows.map(({ subject }) => subject)
}

async function later(context: Context, minutes: number): Promise<void> {
  await context.house.kernel.settled()
  context.house.clock.at += minutes * MINUTE
  // Makes the worker look now and not at its next poll.
  await context.house.kernel.kernel.ports.jobs.enqueue(
    'messaging.remind',
    { conversationId: 'cnv_none' },
    { tenantId: context.ada.tenantId },
  )
}

test('who has not read for ten minutes gets one mail a conversation, until they have read', async t => {
  const { ada, bob } = t.context
  const { id } = await talk(ada, [bob], { subject: 'Plans' })
  await say(ada, id, 'One')
  await say(ada, id, 'Two')
  await later(t.context, 9)
  t.deepEqual(await mailTo(t.context, bob), [])
  await later(t.context, 2)
  t.deepEqual(await mailTo(t.context, bob), ['Plans: 2 unread messages'])
  t.deepEqual(await mailTo(t.context, ada), [])
  await say(ada, id, 'Three')
  await later(t.context, 30)
  t.is((await mailTo(t.context, bob)).length, 1)
  mustBe(200, await bob.put(at(id, '/read'), { seq: 3 }))
  await say(ada, id, 'Four')
  await later(t.context, 11)
  t.deepEqual(await mailTo(t.context, bob), ['Plans: 2 unread messages', 'Plans: 1 unread message'])
})

test('who reads in time, and a message that is deleted in time, cause no mail', async t => {
  const { ada, bob } = t.context
  const [read, deleted] = [await talk(ada, [bob]), await talk(ada, [bob])]
  await say(ada, read.id, 'Read')
  const message = await say(ada, deleted.id, 'Deleted')
  mustBe(200, await bob.put(at(read.id, '/read'), { seq: 1 }))
  mustBe(204, await ada.delete(at(deleted.id, `/messages/${message.id}`)))
  await later(t.context, 11)
  t.deepEqual(await mailTo(t.context, bob), [])
})

test('a message that comes after the first was read has its own ten minutes', async t => {
  const { ada, bob } = t.context
  const { id } = await talk(ada, [bob])
  await say(ada, id, 'One')
  await later(t.context, 6)
  mustBe(200, await bob.put(at(id, '/read'), { seq: 1 }))
  await say(ada, id, 'Two')
  await later(t.context, 5)
  t.deepEqual(await mailTo(t.context, bob), [])
  await later(t.context, 6)
  t.deepEqual(await mailTo(t.context, bob), ['Ada: 1 unread message'])
})

test('a snoozed conversation opens at its time, and not when it was put off or settled meanwhile', async t => {
  const { ada, house } = t.context
  const { id } = await talk(ada, [])
  const status = async () => mustBe(200, await ada.get<Conversation>(at(id))).status
  const snooze = async (minutes: number) =>
    mustBe(
      200,
      await ada.patch(at(id), {
        status: 'snoozed',
        snoozedUntil: new Date(house.clock.now() + minutes * MINUTE).toISOString(),
      }),
    )
  await snooze(30)
  await snooze(60)
  await later(t.context, 31)
  await house.kernel.settled()
  t.is(await status(), 'snoozed')
  await later(t.context, 30)
  await house.kernel.settled()
  t.is(await status(), 'open')
  await snooze(10)
  mustBe(200, await ada.patch(at(id), { status: 'resolved' }))
  await later(t.context, 11)
  await house.kernel.settled()
  t.is(await status(), 'resolved')
})

test('a message opens a snoozed conversation, which is changed by that, and not by the next one', async t => {
  const { ada, house } = t.context
  const { id } = await talk(ada, [])
  const snoozedUntil = new Date(house.clock.now() + 60 * MINUTE).toISOString()
  const { updatedAt: before } = mustBe(200, await ada.patch<Conversation>(at(id), { status: 'snoozed', snoozedUntil }))
  const changed: string[] = []
  for (let n = 0; n < 2; n++) {
    await later(t.context, 1)
    await say(ada, id, `${n}`)
    const { status, updatedAt } = mustBe(200, await ada.get<Conversation>(at(id)))
    t.is(status, 'open')
    changed.push(updatedAt)
  }
  const [first, second] = changed
  t.true(Date.parse(first ?? '') >= Date.parse(before) + MINUTE)
  t.is(second, first)
})
