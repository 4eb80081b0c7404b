import type { OptionalPackage } from '../base/index.ts'
import type { Definition } from '../contract/index.ts'

/** A service or module of a checked recipe. */
export interface RecipeModule {
  readonly key: string
  readonly module: Definition
  readonly options: unknown
  readonly sections: Readonly<Record<string, unknown>>
  /** `larder`, or the recipe's `use`. */
  readonly source: string
  readonly optional: boolean
}
export interface FailedModule {
  readonly key: string
  readonly reason: string
}

/** The optional packages that the recipe needs. */
export const neededPackages = (modules: readonly RecipeModule[]): OptionalPackage[] =>
  modules.flatMap(({ module, options }) => module.packages?.(options as never) ?? [])
