/** Writes lines of a log to a file or a stream in blocks. Without them, each request would cost a write. */
import { pino } from 'pino'
import { KIB } from '../kernel/base/index.ts'

/** Characters. `sonic-boom` writes at most 16 KiB at once. */
const BLOCK_LENGTH = 12 * KIB

export interface LogDestination {
  write(line: string): void
  /** Begins to write all lines. `done` is called once they are written. */
  flush(done?: () => void): void
  flushSync(): void
}

/**
 * @param dest file descriptor or path. Lines wait here for the rest of their block, because `sonic-boom` measures its whole
 * buffer again for each line that it adds.
 */
export function createLogDestination(dest: number | string): LogDestination {
  // With a minimum of 0, `flush` would call back before everything is written.
  const destination = pino.destination({ dest, sync: false, minLength: 1 })
  let block = ''
  function passOn(): void {
    const text = block
    block = ''
    if (text !== '') destination.write(text)
  }
  // Before the listener of pino, which writes what `sonic-boom` has.
  process.prependListener('exit', passOn)
  return {
    write(line) {
      block += line
      if (block.length >= BLOCK_LENGTH) passOn()
    },
    flush(done) {
      passOn()
      if (done) destination.flush(done)
    },
    flushSync() {
      passOn()
      destination.flushSync()
    },
  }
}
