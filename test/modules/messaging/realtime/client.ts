/** A client of the topics of messaging. */
import { type AnyFrame, type DialOptions, dialSocket, type SocketClient } from '../../../fixtures/socket.ts'

/** A frame of the socket, or the message of one. */
export interface Frame extends AnyFrame {
  readonly id?: string
  readonly conversationId?: string
  readonly version?: number
  readonly position?: string | null
}
export type Client = SocketClient<Frame>
interface Person {
  readonly token: string
  readonly tenantId: string
}

const unwrap = (frame: AnyFrame): Frame =>
  frame.type === 'message'
    ? { ...(frame.data.message as Frame), position: frame.data.position as string | null }
    : frame

export const dial = (url: string, options?: Omit<DialOptions, 'convert'>): Promise<Client> =>
  dialSocket(`${url}/v1/realtime`, { ...options, convert: unwrap })

async function greet(url: string, { token, tenantId }: Person): Promise<Client> {
  const client = await dial(url)
  client.send({ type: 'hello', data: { tenantId, token } })
  await client.next('welcome')
  return client
}

export interface Joined extends Client {
  readonly unread: Frame
  typing(conversationId: string): void
}
/** Follows all conversations. */
export async function join(url: string, person: Person): Promise<Joined> {
  const client = await greet(url, person)
  client.send({ type: 'subscribe', data: { subscription: 'all', topic: 'messaging.conversations' } })
  await client.next('subscribed')
  const unread = await client.next('unread')
  const typing = (conversationId: string) =>
    client.send({ type: 'send', data: { subscription: 'all', input: { type: 'typing', conversationId } } })
  return Object.assign(client, { unread, typing })
}

export interface Follower extends Client {
  /** `subscribed`, or the error. */
  readonly answer: Frame
}
/** Follows one conversation, from this position. */
export async function follow(url: string, person: Person, conversationId: string, after?: string): Promise<Follower> {
  const client = await greet(url, person)
  const params = { conversationId }
  client.send({ type: 'subscribe', data: { subscription: 'one', topic: 'messaging.conversation', params, after } })
  return Object.assign(client, { answer: await client.next('subscribed', 'error') })
}
