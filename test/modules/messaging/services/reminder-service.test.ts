import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { type Colleague, expectStatus } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, type Conversation, messagingRecipe, pairOf, say, talk } from '../fixtures.ts'

const MINUTE = 60_000

const { kernel, clock, people } = withPeople(test, { recipe: messagingRecipe({ notifyAfter: '10m' }), clock: true })
let ada: Person
let bob: Colleague
test.beforeEach(async () => {
  ;({ ada, bob } = await pairOf(people))
})

/** Runs due jobs and returns the subjects of reminders to this address, oldest first. */
async function mailTo({ email }: { email: string }): Promise<string[]> {
  await kernel.settled()
  const { systemDatabase } = kernel.kernel.ports
  const { rows } = await systemDatabase
    .acrossTenants('a test reads the mail')
    .query<{ subject: string }>(
      `select subject from comms_messages where recipient = $1 and template = 'messaging.unread' order by id`,
      [email],
    )
  return rows.map(({ subject }) => subject)
}

/** The person's own workspace, not the one that they were invited to. */
async function workspaceOf({ userId, tenantId }: Colleague): Promise<string | undefined> {
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test finds a workspace')
    .query<{ tenantId: string }>(
      'select tenant_id as "tenantId" from identity_members where user_id = $1 and tenant_id <> $2',
      [userId, tenantId],
    )
  return rows[0]?.tenantId
}

async function later(minutes: number): Promise<void> {
  await kernel.settled()
  clock.at += minutes * MINUTE
  // Wakes the worker instead of waiting for its next poll.
  await kernel.kernel.ports.jobs.enqueue('messaging.remind', { conversationId: 'cnv_none' }, { tenantId: ada.tenantId })
}

test.serial('sends one email per conversation after 10 min unread, until it is read', async t => {
  const { id } = await talk(ada, [bob], { subject: 'Plans' })
  await say(ada, id, 'One')
  await say(ada, id, 'Two')
  await later(9)
  t.deepEqual(await mailTo(bob), [])
  await later(2)
  t.deepEqual(await mailTo(bob), ['Plans: 2 unread messages'])
  t.deepEqual(await mailTo(ada), [])
  await say(ada, id, 'Three')
  await later(30)
  t.is((await mailTo(bob)).length, 1)
  expectStatus(200, await bob.put(at(id, '/read'), { seq: 3 }))
  await say(ada, id, 'Four')
  await later(11)
  t.deepEqual(await mailTo(bob), ['Plans: 2 unread messages', 'Plans: 1 unread message'])
})

test.serial('sends no email for messages read or deleted in time', async t => {
  const [read, deleted] = [await talk(ada, [bob]), await talk(ada, [bob])]
  await say(ada, read.id, 'Read')
  const message = await say(ada, deleted.id, 'Deleted')
  expectStatus(200, await bob.put(at(read.id, '/read'), { seq: 1 }))
  expectStatus(204, await ada.delete(at(deleted.id, `/messages/${message.id}`)))
  await later(11)
  t.deepEqual(await mailTo(bob), [])
})

test.serial('the delay restarts for messages after the last read one', async t => {
  const { id } = await talk(ada, [bob])
  await say(ada, id, 'One')
  await later(6)
  expectStatus(200, await bob.put(at(id, '/read'), { seq: 1 }))
  await say(ada, id, 'Two')
  await later(5)
  t.deepEqual(await mailTo(bob), [])
  await later(6)
  t.deepEqual(await mailTo(bob), ['Ada: 1 unread message'])
})

test.serial('reopens a snoozed conversation at its time unless it was changed meanwhile', async t => {
  const { id } = await talk(ada, [])
  const status = async () => expectStatus(200, await ada.get<Conversation>(at(id))).status
  const snooze = async (minutes: number) =>
    expectStatus(
      200,
      await ada.patch(at(id), {
        status: 'snoozed',
        snoozedUntil: new Date(clock.now() + minutes * MINUTE).toISOString(),
      }),
    )
  await snooze(30)
  await snooze(60)
  await later(31)
  await kernel.settled()
  t.is(await status(), 'snoozed')
  await later(30)
  await kernel.settled()
  t.is(await status(), 'open')
  await snooze(10)
  expectStatus(200, await ada.patch(at(id), { status: 'resolved' }))
  await later(11)
  await kernel.settled()
  t.is(await status(), 'resolved')
})

test.serial('the first message reopens a snoozed conversation', async t => {
  const { id } = await talk(ada, [])
  const snoozedUntil = new Date(clock.now() + 60 * MINUTE).toISOString()
  const { updatedAt: before } = expectStatus(
    200,
    await ada.patch<Conversation>(at(id), { status: 'snoozed', snoozedUntil }),
  )
  const changed: string[] = []
  for (let n = 0; n < 2; n++) {
    await later(1)
    await say(ada, id, `${n}`)
    const { status, updatedAt } = expectStatus(200, await ada.get<Conversation>(at(id)))
    t.is(status, 'open')
    changed.push(updatedAt)
  }
  const [first, second] = changed
  t.true(Date.parse(first ?? '') >= Date.parse(before) + MINUTE)
  t.is(second, first)
})

test.serial("the email's link opens the conversation in its workspace, whichever is current", async t => {
  const { id } = await talk(ada, [bob], { subject: 'Plans' })
  await say(ada, id, 'One')
  await later(11)
  await mailTo(bob)
  const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(bob.email)}`)
  const mail = inbox.body.data.find(({ subject }) => subject.startsWith('Plans'))
  const { body } = await kernel.get(`/v1/communications/mailbox/${mail?.id}`)
  const link = new URL(/https?:\S+\/messages\/[^\s>\]]+/.exec(body.text)?.[0] ?? '')

  const open = (path: string, cookie: string) => kernel.get<string>(path, { headers: { accept: 'text/html', cookie } })
  const own = await workspaceOf(bob)
  const cookie = `${bob.cookie}; platform_tenant=${own}`
  t.is((await open(`/messages/${id}`, cookie)).status, 404, "Bob's current workspace is another one")
  const moved = await open(link.pathname + link.search, cookie)
  t.is(moved.status, 303)
  t.is(moved.headers.get('location'), `/messages/${id}`)
  const chosen = moved.headers.getSetCookie()[0] ?? ''
  t.regex(chosen, new RegExp(`^platform_tenant=${ada.tenantId}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`))
  t.is((await open(`/messages/${id}`, `${bob.cookie}; ${chosen.split(';')[0]}`)).status, 200)
  // With no login, the link leads to the sign-in page and back.
  t.is(
    (await open(link.pathname + link.search, '')).headers.get('location'),
    `/sign-in?next=${encodeURIComponent(link.pathname + link.search)}`,
  )
})
