/** A client of the realtime socket. */
import { type AnyFrame, dialSocket, type SocketClient } from '../../../fixtures/socket.ts'

export interface Frame extends AnyFrame {
  readonly id?: string
  readonly from?: string
  readonly to?: string
}
export interface WelcomeData extends Record<string, unknown> {
  readonly peer_id: string
  readonly role: string
  readonly peers: { peer_id: string; role: string; polite: boolean }[]
  readonly resume_token: string
  readonly resumed: boolean
  readonly last_seq: number
  readonly session: Record<string, unknown>
}
export interface Client extends SocketClient<Frame> {
  hello(data: Record<string, unknown>, id?: string): Promise<WelcomeData>
}

export async function dial(
  url: string,
  query = '',
  { pong = true, path = '/v1/streams/realtime' } = {},
): Promise<Client> {
  const client = await dialSocket<Frame>(url + path + query, { pong })
  return {
    ...client,
    async hello(data, id) {
      client.send({ type: 'hello', data, ...(id && { id }) })
      return (await client.next('welcome')).data as WelcomeData
    },
  }
}

/** Connects and joins with a hello. */
export async function join(url: string, data: Record<string, unknown>): Promise<Client & { me: WelcomeData }> {
  const client = await dial(url)
  const me = await client.hello(data)
  return Object.assign(client, { me })
}

export const offer = (connection_id = 'c1', sdp = 'v=0') => ({ connection_id, description: { type: 'offer', sdp } })
export const candidate = (n: number, connection_id = 'c1') => ({
  connection_id,
  candidate: { candidate: `candidate:${n}`, sdpMid: '0', sdpMLineIndex: 0 },
})
