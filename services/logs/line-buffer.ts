/**
 * The newest lines of a log, bounded by their number, their length and their age. Their text is in one block of memory:
 * strings would live long enough to reach the old generation of the heap, and fill it with garbage under load.
 */

export interface Line {
  /** Increases by one with each line of the process. */
  readonly sequence: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly level: number
  readonly text: string
}
export interface LineLimits {
  readonly lines: number
  /** Size of the text of all lines. */
  readonly bytes: number
  readonly ageMs: number
}
export interface LineBuffer {
  add(line: Line): void
  /** Newest first. */
  newest(now: number): Generator<Line>
}

export function createLineBuffer({ lines: maxLines, bytes: maxBytes, ageMs }: LineLimits): LineBuffer {
  const bytes = Buffer.alloc(maxBytes)
  // The slot of line n of this buffer is n % maxLines.
  const sequences = new Float64Array(maxLines)
  const times = new Float64Array(maxLines)
  const levels = new Uint8Array(maxLines)
  const starts = new Uint32Array(maxLines)
  const ends = new Uint32Array(maxLines)
  let first = 0
  let next = 0
  /** Where the text of the newest line ends. */
  let end = 0

  const stored = (values: Float64Array | Uint8Array | Uint32Array, line: number) => values[line % maxLines] as number
  const removeWhile = (condition: (line: number) => boolean) => {
    while (first < next && condition(first)) first++
  }

  /** Returns where this many bytes are free. Removes the oldest lines if there are none. */
  function reserve(length: number): number {
    if (end + length > maxBytes) {
      removeWhile(line => stored(starts, line) >= end)
      end = 0
    }
    removeWhile(line => stored(starts, line) >= end && stored(starts, line) < end + length)
    return end
  }

  return {
    add({ sequence, at, level, text }) {
      removeWhile(line => next - line >= maxLines || stored(times, line) < at - ageMs)
      const length = Buffer.byteLength(text)
      if (length > maxBytes) {
        first = next
        return
      }
      const start = reserve(length)
      end = start + bytes.write(text, start)
      const slot = next++ % maxLines
      sequences[slot] = sequence
      times[slot] = at
      levels[slot] = level
      starts[slot] = start
      ends[slot] = end
    },
    *newest(now) {
      for (let line = next - 1; line >= first; line--) {
        const at = stored(times, line)
        if (at < now - ageMs) return
        const text = bytes.toString('utf8', stored(starts, line), stored(ends, line))
        yield { sequence: stored(sequences, line), at, level: stored(levels, line), text }
      }
    },
  }
}
