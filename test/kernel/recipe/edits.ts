/** Random small edits of a text, as a hand makes them. */
import fc from 'fast-check'

const CHARACTERS = [
  '',
  ' ',
  '  ',
  '\t',
  ':',
  '-',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '#',
  '&',
  '*',
  '!',
  '|',
  '>',
  '%',
  '@',
  '`',
  '$',
  `\${`,
  `\${X}`,
  '\\',
  ',',
  '?',
  'x',
  '7',
  'é',
  '\u0000',
  '\u2028',
  '~',
  '<<: *a',
  '---',
  'null',
  '\n',
]

type Edit = (lines: string[]) => void

const pick = (length: number, of: number): number => (length === 0 ? 0 : of % length)

/** One edit: a line taken out, doubled, moved, indented otherwise, a character put in, a key renamed. */
export const edit: fc.Arbitrary<Edit> = fc
  .tuple(fc.nat(), fc.nat(), fc.constantFrom(...CHARACTERS), fc.nat(6))
  .map(([where, column, character, kind]) => lines => {
    const index = pick(lines.length, where)
    const line = lines[index] ?? ''
    if (kind === 0) lines.splice(index, 1)
    else if (kind === 1) lines.splice(index, 0, line)
    else if (kind === 2) lines.splice(pick(lines.length, column), 0, ...lines.splice(index, 1))
    else if (kind === 3) lines[index] = column % 2 ? ` ${line}` : line.replace(/^ {1,2}/, '')
    else if (kind === 4)
      lines[index] = line.slice(0, pick(line.length, column)) + character + line.slice(pick(line.length, column) + 1)
    else if (kind === 5)
      lines[index] = line.replace(/([a-z]+):/i, (_, key: string) => `${key.slice(0, -1)}${character}:`)
    else lines[index] = line.slice(0, pick(line.length, column))
  })

export function edited(text: string, edits: readonly Edit[]): string {
  const lines = text.split('\n')
  for (const change of edits) change(lines)
  return lines.join('\n')
}
