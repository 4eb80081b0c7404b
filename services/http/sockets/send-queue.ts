/**
 * Peers with frames that haven't been sent. The frames of a peer go out in one system call, which costs more than
 * everything else: after the handling of the data that caused them, or else at the end of this turn of the event loop.
 */

interface Peer {
  /** Sends the frames. */
  flush(): void
}

const waiting: Peer[] = []
let isReading = false

export function flushLater(peer: Peer): void {
  if (waiting.push(peer) === 1 && !isReading) process.nextTick(flushAll)
}

/** Call before received data is handled, and `endRead` after that. */
export function beginRead(): void {
  isReading = true
}

export function endRead(): void {
  isReading = false
  flushAll()
}

/** Removes one peer at a time: V8 would allocate a cleared array again for the next one. */
function flushAll(): void {
  for (let peer = waiting.pop(); peer; peer = waiting.pop()) peer.flush()
}
