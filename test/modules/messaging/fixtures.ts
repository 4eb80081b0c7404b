/** Fixtures of the messaging tests: a kernel, an adjustable clock and members of a shared workspace. */
import {
  type Client,
  type Person,
  startTestKernel,
  type TestKernel,
  type TestKernelOptions,
  type TestResponse,
} from '../../../testing/index.ts'
import type { Conversation, Message, ReadState } from '../../fixtures/api-types.ts'
import { createTestClock, type TestClock } from '../../fixtures/clock.ts'
import { type Colleague, expectStatus, peopleOf, problem } from '../../fixtures/people.ts'

export type { Conversation, Message, ReadState }

export const CONVERSATIONS = '/v1/messaging/conversations'
export const UNREAD = '/v1/messaging/unread'
export const at = (id: string, rest = '') => `${CONVERSATIONS}/${id}${rest}`

export interface Fixture {
  readonly kernel: TestKernel
  readonly clock: TestClock
  /** Registers a user with a separate workspace. */
  person(name?: string): Promise<Person>
  /** Registers a user as member of the owner's workspace with these roles. */
  colleague(owner: Person, roles?: readonly string[], name?: string): Promise<Colleague>
  /** Two members of a new workspace, isolated from concurrent tests. */
  pair(): Promise<{ ada: Person; bob: Colleague }>
  stop(): Promise<void>
}

const ROLES = {
  'tenant.reader': { name: 'Reader', permissions: ['messaging.conversation.read'] },
  'tenant.starter': {
    name: 'Starter',
    permissions: ['messaging.conversation.read', 'messaging.conversation.create'],
  },
}

export const messagingRecipe = (messaging: object = {}) => ({
  roles: ROLES,
  locales: { default: 'en', available: ['en', 'de'] },
  modules: { identity: {}, comms: { transport: 'mailbox' }, messaging },
})

export async function createFixture(
  options: Partial<TestKernelOptions> & { messaging?: object } = {},
): Promise<Fixture> {
  const clock = createTestClock()
  const { messaging = {}, recipe, ...rest } = options
  const kernel = await startTestKernel({
    clock,
    recipe: recipe ?? messagingRecipe(messaging),
    ...rest,
  })
  const people = peopleOf(kernel)
  const colleague: Fixture['colleague'] = (owner, roles = ['tenant.messenger'], name) =>
    people.colleague(owner, roles, name)
  return {
    kernel,
    clock,
    person: people.person,
    colleague,
    async pair() {
      const ada = await people.person('Ada')
      return { ada, bob: await colleague(ada, undefined, 'Bob') }
    },
    stop: () => kernel.stop(),
  }
}

/** `422 /body too_short, /subject wrong_type`. */
export const errorsOf = (answer: TestResponse<unknown>) =>
  `${answer.status} ${(problem(answer).errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).join(', ')}`

export const talk = async (owner: Client, others: readonly { userId: string }[], more: object = {}) =>
  expectStatus(201, await owner.post(CONVERSATIONS, { participantIds: others.map(({ userId }) => userId), ...more }))
export const say = async (who: Client, id: string, body: string, more: object = {}) =>
  expectStatus(201, await who.post<Message>(at(id, '/messages'), { body, ...more }))
