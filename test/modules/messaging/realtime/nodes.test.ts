import test from 'ava'
import pg from 'pg'
import { newId } from '../../../../kernel/index.ts'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { expectStatus } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { at, MESSENGER, messagingRecipe, say, talk } from '../fixtures.ts'
import { type Frame, join } from './client.ts'

let two: TestKernel
let owner: pg.Client
const { kernel, people, ada, bob } = withPeople(
  test,
  { recipe: messagingRecipe() },
  { ada: 'owner', bob: MESSENGER },
  async () => {
    two = await startTestKernel({ recipe: messagingRecipe(), database: kernel.databaseUrl, role: 'web' })
    owner = new pg.Client(kernel.databaseUrl)
    owner.on('error', () => {})
    await owner.connect()
  },
)
test.after.always(async () => {
  await owner?.end()
  await two?.stop()
})

const created = (frames: readonly Frame[], id: string) =>
  frames.filter(({ type, conversationId }) => type === 'message.created' && conversationId === id)

/** Simulates a process that dies between commit and publish. */
async function postSilently(id: string, body: string): Promise<void> {
  await owner.query('update messaging_conversations set last_seq = last_seq + 1, version = version + 1 where id = $1', [
    id,
  ])
  await owner.query(
    `insert into messaging_messages (tenant_id, id, conversation_id, seq, version, sender_id, body, attachments, created_at)
     select tenant_id, $2, id, last_seq, version, $3, $4, '[]', now() from messaging_conversations where id = $1`,
    [id, newId('msg'), bob.userId, body],
  )
}

test.serial('delivers concurrent posts of two processes once and in order', async t => {
  const there = two.as(bob.token, bob.tenantId)
  const { id } = await talk(ada, [bob])
  const sockets = [await join(kernel.url, ada), await join(two.url, bob)]
  await Promise.all(
    Array.from({ length: 100 }, (_, n) => say(n % 2 ? ada : there, id, n % 10 ? 'short' : 'x'.repeat(9000))),
  )
  for (const socket of sockets) {
    while (created(socket.waiting, id).length < 100) await new Promise(resolve => setTimeout(resolve, 10))
    t.deepEqual(
      created(socket.waiting, id).map(({ seq }) => seq),
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
    socket.cut()
  }
})

test.serial('delivers read states, typing and participant changes across processes', async t => {
  const cleo = await people.colleague(ada, MESSENGER)
  const { id } = await talk(ada, [bob])
  await say(ada, id, 'One')
  const [a, b, c] = [await join(kernel.url, ada), await join(two.url, bob), await join(two.url, cleo)]
  expectStatus(200, await two.as(bob.token, bob.tenantId).put(at(id, '/read'), { seq: 1 }))
  t.like(await a.next('read'), { seq: 1, data: { userId: bob.userId } })
  b.typing(id)
  t.is((await a.next('typing')).data.userId, bob.userId)
  expectStatus(201, await ada.post(at(id, '/participants'), { userId: cleo.userId }))
  t.is((await c.next('conversation.updated')).conversationId, id)
  expectStatus(204, await ada.delete(at(id, `/participants/${cleo.userId}`)))
  t.is((await c.next('conversation.left')).conversationId, id)
  expectStatus(204, await kernel.as(bob.token).post('/v1/auth/logout'))
  t.is((await b.closed).code, 4403)
  for (const socket of [a, c]) socket.cut()
})

test.serial('resynchronizes messages and participants after a gap on the bus', async t => {
  const cleo = await people.colleague(ada, MESSENGER)
  const [kept, lost, gained] = [await talk(ada, [cleo]), await talk(ada, [cleo]), await talk(ada, [])]
  const c = await join(kernel.url, cleo)
  for (const body of ['1', '2']) await postSilently(kept.id, body)
  await owner.query('delete from messaging_participants where conversation_id = $1 and user_id = $2', [
    lost.id,
    cleo.userId,
  ])
  await owner.query(
    `insert into messaging_participants (tenant_id, conversation_id, user_id, last_read_seq, joined_at)
     values ($1, $2, $3, 0, now())`,
    [ada.tenantId, gained.id, cleo.userId],
  )
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = 'larder listen'`,
  )
  for (const body of ['1', '2']) t.is((await c.next('message.created')).data.body, body)
  t.is((await c.next('conversation.left')).conversationId, lost.id)
  t.is((await c.next('conversation.updated')).conversationId, gained.id)
  t.true(Number((await c.next('unread')).data.total) >= 2)
  await say(ada, gained.id, 'Welcome')
  t.is((await c.next('message.created')).conversationId, gained.id)
  c.cut()
})

test.serial('delivers an unpublished change with the next one or within seconds', async t => {
  const { id } = await talk(ada, [])
  const a = await join(kernel.url, ada)
  await postSilently(id, 'Silent')
  await say(ada, id, 'Loud')
  for (const body of ['Silent', 'Loud']) t.is((await a.next('message.created')).data.body, body)
  await postSilently(id, 'Silent again')
  t.is((await a.next('message.created')).data.body, 'Silent again')
  a.cut()
})
