import test from 'ava'
import fc from 'fast-check'
import { type Colleague, expectStatus, type Listed } from '../../fixtures/people.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import {
  at,
  type Conversation,
  MESSENGER,
  type Message,
  messagingRecipe,
  type ReadState,
  talk,
  UNREAD,
} from './fixtures.ts'
import { type Follower, follow } from './realtime/client.ts'

const { kernel, ada, bob, cleo } = withPeople(
  test,
  { recipe: messagingRecipe() },
  { ada: 'owner', bob: MESSENGER, cleo: MESSENGER },
)
const members: readonly Colleague[] = [ada, bob, cleo]

const who = fc.nat(2)
const share = fc.double({ min: 0, max: 1, noNaN: true })
const step = fc.oneof(
  fc.record({ do: fc.constant('post' as const), by: fc.array(who, { minLength: 1, maxLength: 6 }) }),
  fc.record({ do: fc.constant('read' as const), by: who, upTo: share, unread: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), of: share }),
  fc.record({ do: fc.constant('reconnect' as const), by: who }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Expected state: senders by number, null for a deleted message, and read positions. */
interface Model {
  readonly messages: { id: string; by: number; deleted: boolean }[]
  readonly read: number[]
}
const unreadOf = ({ messages, read }: Model, by: number) =>
  messages.filter((message, index) => index + 1 > (read[by] as number) && message.by !== by && !message.deleted).length

/** Follows a conversation over connections that end at any time. */
class Reader {
  readonly #open: (after: string | undefined) => Promise<Follower>
  #client: Follower | undefined
  #position: string | undefined
  /** Numbers of the messages in the order of their arrival. */
  readonly seen: number[] = []
  readonly deleted = new Set<number>()

  constructor(open: (after: string | undefined) => Promise<Follower>) {
    this.#open = open
  }

  async reconnect(): Promise<void> {
    this.close()
    this.#client = await this.#open(this.#position)
    this.#position ??= String(this.#client.answer.data.position)
  }

  close(): void {
    this.read()
    this.#client?.cut()
    this.#client = undefined
  }

  read(): void {
    for (const { type, seq = 0, data, position } of this.#client?.waiting.splice(0) ?? []) {
      this.#position = position ?? this.#position
      if (type === 'message.created') this.seen.push(seq)
      if (data.deletedAt != null) this.deleted.add(seq)
    }
  }
}

test('random concurrent operations keep numbers consecutive, read positions consistent, and lose no message', async t => {
  async function take(id: string, model: Model, readers: readonly Reader[], action: Step): Promise<void> {
    const { messages, read } = model
    if (action.do === 'reconnect') await readers[action.by]?.reconnect()
    else if (action.do === 'post') {
      const answers = await Promise.all(
        action.by.map(async (by, index) => {
          const answer = await (members[by] as Colleague).post<Message>(at(id, '/messages'), { body: `${index}` })
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
      const state = expectStatus(200, await (members[by] as Colleague).put<ReadState>(at(id, '/read'), { seq, unread }))
      t.like(state, { lastReadSeq: read[by], unread: unreadOf(model, by) })
    } else {
      const message = messages[Math.floor(action.of * (messages.length - 1))]
      if (!message) return
      expectStatus(204, await (members[message.by] as Colleague).delete(at(id, `/messages/${message.id}`)))
      message.deleted = true
    }
  }

  async function agree(id: string, model: Model): Promise<void> {
    const { data } = expectStatus(200, await ada.get<Listed<Message>>(at(id, '/messages?sort=seq&limit=200')))
    t.deepEqual(
      data.map(({ id, seq, deletedAt }) => ({ id, seq, deleted: deletedAt !== null })),
      model.messages.map(({ id, deleted }, index) => ({ id, seq: index + 1, deleted })),
    )
    for (const [by, person] of members.entries()) {
      const unread = unreadOf(model, by)
      const seen = expectStatus(200, await person.get<Conversation>(at(id)))
      t.like(seen, { lastSeq: model.messages.length, lastReadSeq: model.read[by], unread })
      const { conversations } = expectStatus(200, await person.get(UNREAD))
      t.is(conversations.find(({ conversationId }) => conversationId === id)?.unread ?? 0, unread)
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async steps => {
      const { id } = await talk(ada, [bob, cleo])
      const model: Model = { messages: [], read: [0, 0, 0] }
      const readers = members.map(person => new Reader(after => follow(kernel.url, person, id, after)))
      for (const reader of readers) await reader.reconnect()
      for (const action of steps) await take(id, model, readers, action)
      await agree(id, model)
      const numbers = model.messages.map((_, index) => index + 1)
      const deleted = numbers.filter(seq => model.messages[seq - 1]?.deleted)
      for (const reader of readers) {
        const hasAll = () => reader.seen.length >= numbers.length && reader.deleted.size === deleted.length
        await waitFor(() => {
          reader.read()
          return hasAll()
        })
        t.deepEqual(reader.seen, numbers)
        t.deepEqual(
          [...reader.deleted].sort((a, b) => a - b),
          deleted,
        )
        reader.close()
      }
    }),
    { numRuns: Number(process.env.LARDER_RUNS ?? 8) },
  )
})

test('concurrent reads, resets and posts are serializable and lose no message', async t => {
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
