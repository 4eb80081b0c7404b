/** A kernel with messaging, a clock that can be moved, and people who work together. */
import {
  type Answer,
  type Client,
  type Person,
  startTestKernel,
  type TestKernel,
  type TestKernelOptions,
} from '../../../kernel/testing.ts'

export interface Listed<T> {
  data: T[]
  nextCursor: string | null
}
export interface ProblemBody {
  code: string
  detail: string
  requiredPermission?: string
  errors?: { pointer: string; code: string; detail: string }[]
}
export interface Conversation {
  id: string
  subject: string | null
  status: string
  snoozedUntil: string | null
  participantIds: string[]
  lastSeq: number
  version: number
  lastReadSeq: number
  unread: number
  lastActivityAt: string
}
export interface Message {
  id: string
  conversationId: string
  seq: number
  version: number
  senderId: string
  clientMessageId: string | null
  body: string | null
  attachments: { id: string; fileName: string; mimeType: string; size: number }[]
  editedAt: string | null
  deletedAt: string | null
}
export interface ReadState {
  conversationId: string
  lastReadSeq: number
  lastSeq: number
  unread: number
}
export interface Totals {
  total: number
  conversations: ReadState[]
}

export const CONVERSATIONS = '/v1/messaging/conversations'
export const UNREAD = '/v1/messaging/unread'
export const at = (id: string, rest = '') => `${CONVERSATIONS}/${id}${rest}`

/** Somebody in a tenant that may be another's. */
export interface Mate extends Client {
  readonly userId: string
  readonly tenantId: string
  readonly token: string
  readonly email: string
  readonly cookie: string
}
export interface Stage {
  readonly kernel: TestKernel
  readonly clock: { at: number; now(): number }
  /** Somebody new, with a workspace of their own. */
  person(name?: string): Promise<Person>
  /** Somebody new in this person's workspace, with these roles. */
  colleague(owner: Person, roles?: readonly string[], name?: string): Promise<Mate>
  /** Somebody new and their colleague: what tests that run side by side do not see of each other. */
  pair(): Promise<{ ada: Person; bob: Mate }>
  stop(): Promise<void>
}

const ROLES = {
  'tenant.reader': { name: 'Reader', permissions: ['messaging.conversation.read'] },
  'tenant.beginner': {
    name: 'Beginner',
    permissions: ['messaging.conversation.read', 'messaging.conversation.create'],
  },
}

export async function stage(options: Partial<TestKernelOptions> & { messaging?: object } = {}): Promise<Stage> {
  // It goes on as real time does, from where the test puts it: ids of one millisecond have no order.
  const started = performance.now()
  const clock = { at: Date.now(), now: () => clock.at + Math.floor(performance.now() - started) }
  const { messaging = {}, recipe, ...rest } = options
  const kernel = await startTestKernel({
    clock,
    recipe: recipe ?? {
      roles: ROLES,
      locales: { default: 'en', available: ['en', 'de'] },
      modules: { identity: {}, comms: { transport: 'mailbox' }, messaging },
    },
    ...rest,
  })
  let people = 0
  const person = (name?: string) =>
    kernel.register(`person-${++people}-${process.pid}@example.test`, name === undefined ? {} : { name })
  const colleague: Stage['colleague'] = async (owner, roles = ['tenant.messenger'], name) => {
    const invited = await person(name)
    const sent = await owner.post<{ link: string }>('/v1/identity/members/invite', {
      email: invited.email,
      roles,
      sendEmail: false,
    })
    const token = new URL(sent.body.link).searchParams.get('token')
    await invited.post('/v1/identity/invitations/accept', { token })
    const { userId, email, cookie } = invited
    const client = kernel.as(invited.token, owner.tenantId)
    return { ...client, userId, email, cookie, token: invited.token, tenantId: owner.tenantId }
  }
  return {
    kernel,
    clock,
    person,
    colleague,
    async pair() {
      const ada = await person('Ada')
      return { ada, bob: await colleague(ada, undefined, 'Bob') }
    },
    stop: () => kernel.stop(),
  }
}

export function mustBe<B>(status: number, answer: Answer<B>): B {
  if (answer.status !== status) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
export const problem = (answer: Answer<unknown>) => answer.body as ProblemBody
export const codeOf = (answer: Answer<unknown>) => `${answer.status} ${problem(answer).code}`
/** `422 /body too_short, /subject wrong_type`. */
export const errorsOf = (answer: Answer<unknown>) =>
  `${answer.status} ${(problem(answer).errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).join(', ')}`

export const talk = async (owner: Client, others: readonly { userId: string }[], more: object = {}) =>
  mustBe(
    201,
    await owner.post<Conversation>(CONVERSATIONS, { participantIds: others.map(({ userId }) => userId), ...more }),
  )
export const say = async (who: Client, id: string, body: string, more: object = {}) =>
  mustBe(201, await who.post<Message>(at(id, '/messages'), { body, ...more }))
