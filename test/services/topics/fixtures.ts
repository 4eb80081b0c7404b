/** A kernel with topics, and clients of its socket. */
import { fileURLToPath } from 'node:url'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../../testing/index.ts'
import { type DialOptions, dialSocket, type SocketClient } from '../../fixtures/socket.ts'

export interface Frame {
  readonly type: string
  readonly id?: string
  readonly data: Record<string, unknown>
}
export interface TopicClient extends SocketClient<Frame> {
  /** Sends the frame and returns the reply with its ID. */
  request(type: string, data: object): Promise<Frame>
  subscribe(topic: string, params?: object, more?: { subscription?: string; after?: string }): Promise<Frame>
  /** Titles of the next messages, and the position of the last one. */
  titles(count: number): Promise<{ titles: unknown[]; position: string }>
}

const use = fileURLToPath(new URL('./boards/module.js', import.meta.url))

export const startTopics = (options: Partial<TestKernelOptions> = {}): Promise<TestKernel> =>
  startTestKernel({
    recipe: {
      roles: {
        'tenant.reader': { name: 'Reader', permissions: ['boards.card.read'] },
        'tenant.guest': { name: 'Guest', permissions: [] },
      },
      modules: { identity: {}, boards: { use } },
    },
    ...options,
  })

export async function dial(url: string, options?: DialOptions): Promise<TopicClient> {
  const client = await dialSocket<Frame>(`${url}/v1/realtime`, options)
  let count = 0
  const request: TopicClient['request'] = async (type, data) => {
    const id = String(++count)
    client.send({ type, id, data })
    for (;;) {
      const frame = await client.next(...REPLIES)
      if (frame.id === id) return frame
    }
  }
  return {
    ...client,
    request,
    subscribe: (topic, params = { board: 'a' }, more = {}) =>
      request('subscribe', { subscription: 's', topic, params, ...more }),
    async titles(expected) {
      const titles: unknown[] = []
      let position = ''
      while (titles.length < expected) {
        const { data } = await client.next('message')
        titles.push((data.message as { title: string }).title)
        position = String(data.position)
      }
      return { titles, position }
    },
  }
}
const REPLIES = ['welcome', 'subscribed', 'unsubscribed', 'accepted', 'error']

export async function join(
  url: string,
  { token, tenantId }: { token?: string; tenantId?: string } = {},
  more: object = {},
): Promise<TopicClient> {
  const client = await dial(url)
  const welcome = await client.request('hello', { tenantId, token, ...more })
  if (welcome.type !== 'welcome') throw new Error(`hello was answered with ${JSON.stringify(welcome)}`)
  return client
}
