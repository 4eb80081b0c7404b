import anyTest, { type TestFn } from 'ava'
import fc from 'fast-check'
import { type Colleague, expectStatus, type Listed } from '../../fixtures/people.ts'
import {
  at,
  type Conversation,
  createFixture,
  type Fixture,
  type Message,
  type ReadState,
  type Totals,
  talk,
  UNREAD,
} from './fixtures.ts'

interface Context {
  fixture: Fixture
  people: readonly Colleague[]
}
const test = anyTest as TestFn<Context>

test.before(async t => {
  const fixture = await createFixture()
  const { ada, bob } = await fixture.pair()
  t.context = { fixture, people: [ada, bob, await fixture.colleague(ada)] }
})
test.after.always(t => t.context.fixture?.stop())

const who = fc.nat(2)
const share = fc.double({ min: 0, max: 1, noNaN: true })
const step = fc.oneof(
  fc.record({ do: fc.constant('post' as const), by: fc.array(who, { minLength: 1, maxLength: 6 }) }),
  fc.record({ do: fc.constant('read' as const), by: who, upTo: share, unread: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), of: share }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Expected state: senders by number, null for a deleted message, and read positions. */
interface Model {
  readonly messages: { id: string; by: number; deleted: boolean }[]
  readonly read: number[]
}
const unreadOf = ({ messages, read }: Model, by: number) =>
  messages.filter((message, index) => index + 1 > (read[by] as number) && message.by !== by && !message.deleted).length

test('random concurrent operations keep numbers consecutive and read positions consistent', async t => {
  const { people } = t.context
  const [ada, ...others] = people as [Colleague, Colleague, Colleague]

  async function take(id: string, model: Model, action: Step): Promise<void> {
    const { messages, read } = model
    if (action.do === 'post') {
      const answers = await Promise.all(
        action.by.map(async (by, index) => {
          const answer = await (people[by] as Colleague).post<Message>(at(id, '/messages'), { body: `${index}` })
          return { by, ...expectStatus(201, answer) }
        }),
      )
      const posted = answers.sort((a, b) => a.seq - b.seq)
      t.deepEqual(
        posted.map(({ seq }) => seq),
        posted.map((_, index) => messages.length + index + 1),
      )
      for (const { by, seq, id: message } of posted) {
        messages.push({ id: message, by, deleted: false })
        read[by] = seq
      }
    } else if (action.do === 'read') {
      const { by, unread } = action
      const seq = Math.floor(action.upTo * messages.length)
      const before = read[by] as number
      read[by] = unread ? Math.min(before, seq) : Math.max(before, seq)
      const state = expectStatus(200, await (people[by] as Colleague).put<ReadState>(at(id, '/read'), { seq, unread }))
      t.like(state, { lastReadSeq: read[by], unread: unreadOf(model, by) })
    } else {
      const message = messages[Math.floor(action.of * (messages.length - 1))]
      if (!message) return
      expectStatus(204, await (people[message.by] as Colleague).delete(at(id, `/messages/${message.id}`)))
      message.deleted = true
    }
  }

  async function agree(id: string, model: Model): Promise<void> {
    const { data } = expectStatus(200, await ada.get<Listed<Message>>(at(id, '/messages?sort=seq&limit=200')))
    t.deepEqual(
      data.map(({ id, seq, deletedAt }) => ({ id, seq, deleted: deletedAt !== null })),
      model.messages.map(({ id, deleted }, index) => ({ id, seq: index + 1, deleted })),
    )
    for (const [by, person] of people.entries()) {
      const unread = unreadOf(model, by)
      const seen = expectStatus(200, await person.get<Conversation>(at(id)))
      t.like(seen, { lastSeq: model.messages.length, lastReadSeq: model.read[by], unread })
      const { conversations } = expectStatus(200, await person.get<Totals>(UNREAD))
      t.is(conversations.find(({ conversationId }) => conversationId === id)?.unread ?? 0, unread)
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async steps => {
      const { id } = await talk(ada, others)
      const model: Model = { messages: [], read: [0, 0, 0] }
      for (const action of steps) await take(id, model, action)
      await agree(id, model)
    }),
    { numRuns: Number(process.env.LARDER_RUNS ?? 8) },
  )
})

test('concurrent reads, resets and posts are serializable and lose no message', async t => {
  const [ada, bob] = t.context.people as [Colleague, Colleague, Colleague]
  const { id } = await talk(ada, [bob])
  for (let n = 0; n < 5; n++) expectStatus(201, await ada.post(at(id, '/messages'), { body: `${n}` }))
  for (let round = 0; round < 10; round++) {
    const forward = [5, 3, 4, 1].map(seq => bob.put<ReadState>(at(id, '/read'), { seq }))
    const states = (await Promise.all(forward)).map(answer => expectStatus(200, answer).lastReadSeq)
    t.true(states.every((state, index) => state >= ([5, 3, 4, 1][index] as number)))
    t.is(expectStatus(200, await bob.get<Conversation>(at(id))).lastReadSeq, 5)
    expectStatus(200, await bob.put(at(id, '/read'), { seq: 0, unread: true }))
  }
})
