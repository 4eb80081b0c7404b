import { byCodeUnits } from '../base/index.ts'
import type { Diagnostic } from './diagnostic.ts'
import { render } from './render.ts'

/** An invalid recipe, with all of its problems in the order of files and lines. */
export class RecipeError extends Error {
  readonly problems: readonly Diagnostic[]
  readonly #texts: ReadonlyMap<string, string>

  /** @param texts file → its text, for the code frames. */
  constructor(problems: readonly Diagnostic[], texts: ReadonlyMap<string, string>) {
    const sorted = inOrder(problems, [...texts.keys()])
    super(sorted.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join('\n'))
    this.name = 'RecipeError'
    this.problems = sorted
    this.#texts = texts
  }

  /** Each problem with its code frame and hint, at most 50 of them. */
  render(color: boolean): string {
    return render(this.problems, this.#texts, color)
  }
}

/** Sorts by file, in the order in which they were read, and line; removes duplicates. */
function inOrder(problems: readonly Diagnostic[], files: readonly string[]): Diagnostic[] {
  const rank = (file: string) => (files.includes(file) ? files.indexOf(file) : files.length)
  const seen = new Set<string>()
  return problems
    .filter(({ file, line, column, message }) => {
      const name = `${file}:${line}:${column} ${message}`
      return !seen.has(name) && seen.add(name)
    })
    .sort(
      (a, b) => rank(a.file) - rank(b.file) || byCodeUnits(a.file, b.file) || a.line - b.line || a.column - b.column,
    )
}
