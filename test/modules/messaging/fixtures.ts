/** Fixtures of the messaging tests. */
import type { Client, Person, TestResponse } from '../../../testing/index.ts'
import type { Conversation, Message, ReadState } from '../../fixtures/api-types.ts'
import { type Colleague, expectStatus, type People, problem } from '../../fixtures/people.ts'

export type { Conversation, Message, ReadState }

export const CONVERSATIONS = '/v1/messaging/conversations'
export const UNREAD = '/v1/messaging/unread'
export const at = (id: string, rest = '') => `${CONVERSATIONS}/${id}${rest}`

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

export const MESSENGER = ['tenant.messenger']

/** Two members of a new workspace, for tests that share none. */
export async function pairOf(people: People): Promise<{ ada: Person; bob: Colleague }> {
  const ada = await people.person('Ada')
  return { ada, bob: await people.colleague(ada, MESSENGER, 'Bob') }
}

/** `422 /body too_short, /subject wrong_type`. */
export const errorsOf = (answer: TestResponse<unknown>) =>
  `${answer.status} ${(problem(answer).errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).join(', ')}`

export const talk = async (owner: Client, others: readonly { userId: string }[], more: object = {}) =>
  expectStatus(201, await owner.post(CONVERSATIONS, { participantIds: others.map(({ userId }) => userId), ...more }))
export const say = async (who: Client, id: string, body: string, more: object = {}) =>
  expectStatus(201, await who.post<Message>(at(id, '/messages'), { body, ...more }))
