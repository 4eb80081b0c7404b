/** A client of the messaging socket. */
import { type AnyFrame, type DialOptions, dialSocket, type SocketClient } from '../../../fixtures/socket.ts'

export interface Frame extends AnyFrame {
  readonly id?: string
  readonly conversationId?: string
  readonly version?: number
  readonly code?: string
}
export type Client = SocketClient<Frame>

export const dial = (url: string, options?: DialOptions): Promise<Client> =>
  dialSocket(`${url}/v1/messaging/realtime`, options)

export interface Joined extends Client {
  readonly welcome: Frame
  readonly unread: Frame
}
/** Sends hello and waits for the unread totals, which follow the replay. */
export async function join(
  url: string,
  { token, tenantId }: { token: string; tenantId: string },
  more: Record<string, unknown> = {},
): Promise<Joined> {
  const client = await dial(url)
  client.send({ type: 'hello', data: { tenantId, token, ...more } })
  const welcome = await client.next('welcome')
  const unread = await client.next('unread')
  return Object.assign(client, { welcome, unread })
}
