/** What the processes that hold a session's peers tell each other, over the bus. */
import { newId, SECOND, type UntypedBus } from 'larder/kernel'
import type { ClaimMessage, Luggage, RoomMessage } from './types.ts'

const CHANNEL = 'streams.rooms'
/** For one that is busy; one that died keeps who asks waiting for as long. */
const PATIENCE = 2 * SECOND
/** Asking for no peer's place is asking whether somebody is there. */
const NOBODY = ''

type Without<M> = M extends unknown ? Omit<M, 'from'> : never
export type Told = Without<RoomMessage>

export interface NodeHandlers {
  heard(message: RoomMessage): void
  /** Gives a place away; null where there is none. */
  give(peerId: string, to: string): Luggage | null
  /** Something may have been missed. */
  gap(): void
}

export type Nodes = ReturnType<typeof createNodes>

/** @param self id of this process. */
export function createNodes(bus: UntypedBus, self: string) {
  const claims = new Map<string, (luggage: Luggage | null) => void>()
  /** Who did not answer: the others that it held need not wait for the same. */
  const silent = new Set<string>()
  const send = (message: RoomMessage | ClaimMessage) => bus.publish(CHANNEL, message)

  function take(message: ClaimMessage, { give }: NodeHandlers): void {
    if (message.at !== self) return
    const { from, claim } = message
    if (message.kind === 'given') claims.get(claim)?.(message.luggage)
    else send({ kind: 'given', from: self, at: from, claim, luggage: give(message.peer, from) })
  }

  async function claim(node: string, peer: string): Promise<Luggage | null | 'silent'> {
    if (silent.has(node)) return 'silent'
    const claim = newId('clm')
    let timer: NodeJS.Timeout | undefined
    const answer = await new Promise<Luggage | null | 'silent'>(resolve => {
      claims.set(claim, resolve)
      timer = setTimeout(() => resolve('silent'), PATIENCE)
      send({ kind: 'claim', from: self, at: node, claim, peer })
    })
    clearTimeout(timer)
    claims.delete(claim)
    if (answer === 'silent') silent.add(node)
    return answer
  }

  return {
    self,
    tell: (message: Told) => send({ ...message, from: self } as RoomMessage),
    /** The place that `node` holds; null where it holds none, `silent` where it does not answer. */
    claim,
    /** Whether it answers at all. */
    lives: async (node: string): Promise<boolean> => (await claim(node, NOBODY)) !== 'silent',
    /** When each of them has heard all that was told so far, and all that they told before that is here. */
    reached: async (nodes: Iterable<string>): Promise<void> =>
      void (await Promise.all([...nodes].map(node => claim(node, NOBODY)))),
    listen: (handlers: NodeHandlers): (() => void) =>
      bus.subscribe(
        CHANNEL,
        heard => {
          const message = heard as RoomMessage | ClaimMessage
          if (message.from === self) return
          silent.delete(message.from)
          if ('claim' in message) take(message, handlers)
          else handlers.heard(message)
        },
        () => {
          silent.clear()
          handlers.gap()
        },
      ),
  }
}
