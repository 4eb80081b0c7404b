/** Compares the recipe file with the recipe that was read from it at the start. */
import { createHash } from 'node:crypto'
import { dirname, relative } from 'node:path'
import type { Ports } from '../kernel/index.ts'
import { type CheckedRecipe, type Diagnostic, maskRecipe, RecipeError, readRecipe } from '../kernel/recipe/index.ts'
import { addMaskedStrings, addSecretsOf, createRedactor } from './redactor.ts'

type RecipeFile = Ports['recipeFile']
type RecipeFileReport = Awaited<ReturnType<RecipeFile['check']>>
type RecipeSource = ReturnType<typeof readRecipe>

export interface RecipeFileCheck extends RecipeFile {
  /** Remembers the recipe that the product runs. */
  setRunning(checked: CheckedRecipe): void
}

export interface RecipeFileCheckOptions {
  /** As it was read at the start. */
  readonly source: RecipeSource
  /** Throws a RecipeError. Called once for each content of the files, because every call imports the team's modules again. */
  validate(source: RecipeSource): Promise<CheckedRecipe>
  /** Names of environment variables. */
  readonly secretVariables: readonly string[]
}

export function createRecipeFileCheck({ source, validate, secretVariables }: RecipeFileCheckOptions): RecipeFileCheck {
  const { file, env } = source
  const atStart = hash([...source.texts])
  const current: RecipeFileReport = { status: 'current', file, recipe: null, problems: [] }
  let running: string | undefined
  let last: { readonly content: string; readonly report: Promise<RecipeFileReport> } | undefined

  async function reportOn(now: RecipeSource): Promise<RecipeFileReport> {
    const redactor = createRedactor(env, secretVariables)
    addSecretsOf(now, redactor)
    // Messages quote values.
    const problemsOf = (diagnostics: readonly Diagnostic[]) => redactor.apply(toProblems(diagnostics, dirname(file)))
    try {
      const checked = await validate(now)
      addMaskedStrings(checked, redactor)
      const problems = problemsOf(checked.warnings)
      // Comments and the order of files don't change what runs.
      if (hash(checked.value) === running) return { ...current, problems }
      return { status: 'changed', file, recipe: maskRecipe(checked), problems }
    } catch (error) {
      if (!(error instanceof RecipeError)) throw error
      return { status: 'invalid', file, recipe: null, problems: problemsOf(error.problems) }
    }
  }
  return {
    setRunning(checked) {
      running = hash(checked.value)
    },
    check() {
      const now = readRecipe(file, env)
      const content = hash([...now.texts])
      if (content === atStart) return Promise.resolve(current)
      if (last?.content !== content) {
        const report = reportOn(now)
        last = { content, report }
        // The next call tries again.
        report.catch(() => {
          last = undefined
        })
      }
      return last.report
    },
  }
}

const toProblems = (diagnostics: readonly Diagnostic[], folder: string): RecipeFileReport['problems'] =>
  diagnostics.map(({ severity, code, file, line, column, path, message, hint = null }) => ({
    severity,
    code,
    file: relative(folder, file),
    line,
    column,
    path,
    message,
    hint,
  }))

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
