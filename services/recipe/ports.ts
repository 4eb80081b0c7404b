/** The port of the recipe file. Types only. */
import type { RecipeComparison } from './comparison.ts'

export interface RecipeFileProblem {
  readonly severity: 'error' | 'warning'
  /** Stable, as `larder recipe check --json` prints it. */
  readonly code: string
  /** Relative to the folder of the recipe. */
  readonly file: string
  /** Lines and columns count from 1. */
  readonly line: number
  readonly column: number
  /** Path in the recipe, such as `modules.comms.from`. */
  readonly path: string
  readonly message: string
  readonly hint: string | null
}
export interface RecipeFileReport {
  /** `invalid`: the product could not start with the file. */
  readonly status: 'current' | 'changed' | 'invalid'
  /** Absolute. */
  readonly file: string
  /** With secrets masked; null unless `status` is `changed`. */
  readonly recipe: unknown
  readonly problems: readonly RecipeFileProblem[]
}
export interface RecipeFile {
  /** Compares the file on disk, with the files that it includes, with the recipe that runs. */
  check(): Promise<RecipeFileReport>
}

declare module '@larder-dev/larder/kernel' {
  interface Ports {
    recipeFile: RecipeFile
  }
  interface Registrations {
    /** Compares what the module declares with another recipe, for `larder recipe diff`. */
    comparisons: readonly RecipeComparison[]
  }
}
