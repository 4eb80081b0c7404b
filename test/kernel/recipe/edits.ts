/** Small random edits of a text, similar to typing mistakes. */

import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { checkRecipe } from '../../../bin/composition.ts'
import { type Diagnostic, RecipeError } from '../../../kernel/recipe/index.ts'
import type { ModuleFinder } from '../../../kernel/recipe/modules.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'

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

/** One edit: deletes, duplicates, moves, indents or truncates a line, replaces a character, or renames a key. */
const edit: fc.Arbitrary<Edit> = fc
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

function edited(text: string, edits: readonly Edit[]): string {
  const lines = text.split('\n')
  for (const change of edits) change(lines)
  return lines.join('\n')
}

/**
 * Writes edited versions of `text` to `file` and checks each. Throws if a check fails without a problem, or reports a
 * location that does not exist. Returns the number of rejected versions. A `seed` repeats the same edits.
 */
export async function tryEdits(
  text: string,
  { file, finder, runs, seed }: { file: string; finder?: ModuleFinder; runs: number; seed?: number },
): Promise<number> {
  let rejected = 0
  const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async edits => {
    const written = edited(text, edits)
    writeFileSync(file, written)
    try {
      await checkRecipe(readRecipe(file, {}), finder)
    } catch (error) {
      if (!(error instanceof RecipeError) || error.problems.length === 0)
        throw new Error(`${String(error)}\nwith the recipe\n${written}`, { cause: error })
      rejected++
      for (const problem of error.problems) assertLocationExists(problem)
      error.render(false)
    }
  })
  await fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }), includeErrorInReport: true })
  return rejected
}

function assertLocationExists(problem: Diagnostic): void {
  const line = readFileSync(problem.file, 'utf8').split('\n')[problem.line - 1]
  if (line === undefined || problem.column < 1 || problem.column > line.length + 1 || !problem.message)
    throw new Error(`location does not exist: ${JSON.stringify(problem)}`)
}
