import { byCodeUnits } from '../base/index.ts'
import { render } from './render.ts'
import { dotted, type Path, type Place } from './tree.ts'

export type DiagnosticCode =
  | 'circular_ports'
  | 'duplicate_key'
  | 'duplicate_name'
  | 'duplicate_port'
  | 'duplicate_section'
  | 'invalid_extends'
  | 'invalid_grant'
  | 'invalid_include'
  | 'invalid_key'
  | 'invalid_schema'
  | 'invalid_use'
  | 'invalid_value'
  | 'invalid_variable'
  | 'invalid_yaml'
  | 'load_failed'
  | 'missing_key'
  | 'missing_port'
  | 'name_mismatch'
  | 'not_a_map'
  | 'role_redefined'
  | 'rule_violated'
  | 'too_deep'
  | 'too_large'
  | 'undeclared_port'
  | 'unknown_key'
  | 'unknown_module'
  | 'unknown_permission'
  | 'unknown_service'
  | 'unreadable_file'
  | 'unset_variable'
  | 'unsupported_yaml'

/** Something wrong with a recipe, and where. Lines and columns count from 1; `file` is absolute. */
export interface RecipeProblem extends Place {
  /** Stable: tools may match on it. */
  readonly code: DiagnosticCode
  /** What it is about, e.g. `modules.comms.from`; '' for the recipe as a whole. */
  readonly path: string
  readonly message: string
  /** What would be right. */
  readonly hint?: string
}

export const problemAt = (
  code: DiagnosticCode,
  { file, line, column }: Place,
  path: Path,
  message: string,
  hint?: string,
): RecipeProblem => ({
  code,
  file,
  line,
  column,
  path: dotted(path),
  message,
  ...(hint && { hint }),
})

/** A recipe that cannot be used: everything that is wrong with it, in the order of files and lines. */
export class RecipeError extends Error {
  readonly problems: readonly RecipeProblem[]
  readonly #texts: ReadonlyMap<string, string>

  /** @param texts file → its text, for the code frames. */
  constructor(problems: readonly RecipeProblem[], texts: ReadonlyMap<string, string>) {
    const sorted = inOrder(problems, [...texts.keys()])
    super(sorted.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join('\n'))
    this.name = 'RecipeError'
    this.problems = sorted
    this.#texts = texts
  }

  /** For a person at a terminal: each problem with its code frame and what would be right; at most 50 of them. */
  render(color: boolean): string {
    return render(this.problems, this.#texts, color)
  }
}

/** Files in the order in which they were read, lines from the top. */
function inOrder(problems: readonly RecipeProblem[], files: readonly string[]): RecipeProblem[] {
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
