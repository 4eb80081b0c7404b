/** The newest lines of a log, bounded by their number, their length and their age. */

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
  /** Characters of all lines. */
  readonly characters: number
  readonly ageMs: number
}
export interface LineBuffer {
  add(line: Line): void
  /** Newest first. */
  newest(now: number): Generator<Line>
}

export function createLineBuffer({ lines: maxLines, characters: maxCharacters, ageMs }: LineLimits): LineBuffer {
  /** The slot of the line with sequence n of this buffer is n % maxLines. */
  const slots: (Line | undefined)[] = []
  let first = 0
  let next = 0
  let characters = 0

  function removeFirst(): void {
    const slot = first % maxLines
    characters -= slots[slot]?.text.length ?? 0
    slots[slot] = undefined
    first++
  }
  return {
    add(line) {
      if (next - first === maxLines) removeFirst()
      slots[next % maxLines] = line
      next++
      characters += line.text.length
      while (characters > maxCharacters && first < next) removeFirst()
      while ((slots[first % maxLines]?.at ?? line.at) < line.at - ageMs) removeFirst()
    },
    *newest(now) {
      for (let index = next - 1; index >= first; index--) {
        const line = slots[index % maxLines]
        if (!line || line.at < now - ageMs) return
        yield line
      }
    },
  }
}
