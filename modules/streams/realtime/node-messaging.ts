/** Messages over the bus between the processes that hold peers of the same session. */
import { type Deps, newId, SECOND } from '@larder-dev/larder/kernel'
import type { ClaimMessage, HandoverState, RoomMessage } from '../domain/messages.ts'

const CHANNEL = 'streams.rooms'
/** Long enough for a busy process. A request to a dead process waits as long. */
const CLAIM_TIMEOUT_MS = 2 * SECOND
/** A claim of no peer only checks whether the process responds. */
const NO_PEER = ''

type Without<M> = M extends unknown ? Omit<M, 'from'> : never
export type OutgoingMessage = Without<RoomMessage>

export interface NodeHandlers {
  handleMessage(message: RoomMessage): void
  /** Releases a peer session; null if it is not held here. */
  release(peerId: string, to: string): HandoverState | null
  /** Messages may have been missed. */
  handleGap(): void
}

export type Nodes = ReturnType<typeof createNodes>

/** `self` is the id of this process. */
export function createNodes({ bus }: Deps<'bus'>, self: string) {
  const claims = new Map<string, (state: HandoverState | null) => void>()
  /** Processes that did not respond. Further requests to them fail at once. */
  const unresponsive = new Set<string>()
  const send = (message: RoomMessage | ClaimMessage) => bus.publish(CHANNEL, message)

  function handleClaim(message: ClaimMessage, { release }: NodeHandlers): void {
    if (message.at !== self) return
    const { from, claim } = message
    if (message.kind === 'handover') claims.get(claim)?.(message.state)
    else send({ kind: 'handover', from: self, at: from, claim, state: release(message.peer, from) })
  }

  async function claim(node: string, peer: string): Promise<HandoverState | null | 'unresponsive'> {
    if (unresponsive.has(node)) return 'unresponsive'
    const claim = newId('clm')
    let timer: NodeJS.Timeout | undefined
    const answer = await new Promise<HandoverState | null | 'unresponsive'>(resolve => {
      claims.set(claim, resolve)
      timer = setTimeout(() => resolve('unresponsive'), CLAIM_TIMEOUT_MS)
      send({ kind: 'claim', from: self, at: node, claim, peer })
    })
    clearTimeout(timer)
    claims.delete(claim)
    if (answer === 'unresponsive') unresponsive.add(node)
    return answer
  }

  return {
    self,
    publish: (message: OutgoingMessage) => send({ ...message, from: self } as RoomMessage),
    /** Claims a peer session from `node`; null if it holds none, `unresponsive` if it does not respond in time. */
    claim,
    /** Whether the process responds. */
    isAlive: async (node: string): Promise<boolean> => (await claim(node, NO_PEER)) !== 'unresponsive',
    /** Resolves when each process has received all messages sent so far, and their earlier messages have arrived. */
    flush: async (nodes: Iterable<string>): Promise<void> =>
      void (await Promise.all([...nodes].map(node => claim(node, NO_PEER)))),
    listen: (handlers: NodeHandlers): (() => void) =>
      bus.subscribe(
        CHANNEL,
        message => {
          if (message.from === self) return
          unresponsive.delete(message.from)
          if ('claim' in message) handleClaim(message, handlers)
          else handlers.handleMessage(message)
        },
        () => {
          unresponsive.clear()
          handlers.handleGap()
        },
      ),
  }
}
