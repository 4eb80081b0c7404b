import test from 'ava'
import { pino } from 'pino'
import type { Followed } from '../../../../modules/messaging/realtime/history.ts'
import { createRooms } from '../../../../modules/messaging/realtime/rooms.ts'
import type { Connection, FeedPosition, Member } from '../../../../modules/messaging/realtime/types.ts'

const ID = 'cnv_1'
const ADA = { tenantId: 'ten_a', userId: 'usr_ada' }
const CLEO = { tenantId: 'ten_a', userId: 'usr_cleo' }

function fixture() {
  const followed = new Map<string, Followed[]>()
  const caughtUp: [Connection, FeedPosition][] = []
  const rooms = createRooms({
    log: pino({ level: 'silent' }),
    history: {
      followed: async ({ userId }) => followed.get(userId) ?? [],
      changesSince: async () => undefined,
      versions: async () => [],
    },
    async catchUp(connection, _member, _id, since) {
      caughtUp.push([connection, since])
    },
  })
  async function join(member: Member, conversations: Followed[]): Promise<Connection> {
    followed.set(member.userId, conversations)
    const sink = { closed: false, member, send: () => true, sendPaced: async () => true }
    const connection = { sink, versions: new Map(), lastTyping: { conversationId: '', at: 0 } }
    await rooms.join(connection, member, () => false)
    return connection
  }
  const added = (version: number) =>
    rooms.handleChange({
      kind: 'change',
      tenantId: ADA.tenantId,
      conversationId: ID,
      version,
      lastSeq: 3,
      frames: ['updated'],
      joined: [CLEO.userId],
      isSupport: false,
    })
  return { join, added, caughtUp }
}

test('sends a conversation to a new participant, although another connection has read the change before', async t => {
  const { join, added, caughtUp } = fixture()
  const cleo = await join(CLEO, [])
  await join(ADA, [{ id: ID, version: 5, lastSeq: 3 }])
  added(5)
  t.deepEqual(caughtUp, [[cleo, { seq: 3, version: 4 }]])
})

test('sends nothing twice to a participant who follows already', async t => {
  const { join, added, caughtUp } = fixture()
  await join(CLEO, [{ id: ID, version: 5, lastSeq: 3 }])
  added(5)
  t.deepEqual(caughtUp, [])
})
