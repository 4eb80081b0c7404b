import { byCodeUnits } from '../base/index.ts'
import type { Diagnostic } from './diagnostic.ts'
import { render } from './render.ts'

/** An invalid recipe, with all of its problems in the order of files and lines. */
export class RecipeError extends Error {
  readonly problems: readonly Diagnostic[]

  /** @param files of the recipe, in the order in which they were read. */
  constructor(problems: readonly Diagnostic[], files: readonly string[]) {
    const sorted = sortDiagnostics(problems, files)
    super(sorted.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join('\n'))
    this.name = 'RecipeError'
    this.problems = sorted
  }

  /** Each problem with its code frame and hint, at most 50 of them. */
  render(color: boolean): string {
    return render(this.problems, color)
  }
}

/** Sorts by file, in the order in which they were read, and line; removes duplicates. */
export function sortDiagnostics(problems: readonly Diagnostic[], files: readonly string[]): Diagnostic[] {
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
