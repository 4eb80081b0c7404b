/** The product, its operator and its settings. */

import type { SettingValue } from '../../base/index.ts'

/**
 * Whose product it is. `teams`: each customer has a workspace. `people`: the operator's workspace is the only one, and each
 * customer is a member of it.
 */
export type Audience = 'teams' | 'people'

/** The product that the recipe describes. */
export interface Product {
  readonly key: string
  readonly name: string
  /** The URL has no trailing slash. */
  readonly publicUrl: string
  readonly locales: { readonly default: string; readonly available: readonly string[] }
  readonly production: boolean
  readonly audience: Audience
}

/** The tenant that the operator of this installation owns. */
export interface Operator {
  readonly tenantId: string
}

/** LARDER_DATA: the folder for local files. A module creates its own folder inside. */
export interface DataFolder {
  /** Absolute. */
  readonly path: string
}

/** Values of the environment variables that the kernel reads. Services and modules add theirs by declaration merging. */
export interface Settings {
  /** Overrides the recipe's `product.publicUrl`. */
  readonly publicUrl: string | undefined
  /** Absolute. */
  readonly dataDir: string
  /** Path of the recipe, if the environment names one. */
  readonly recipe: string | undefined
  /** Newest first; empty if the secret is kept in `dataDir`. */
  readonly secrets: readonly string[]
  readonly production: boolean
  /** What a start applies of a changed recipe, without a confirmation: what adds, everything, or nothing. */
  readonly apply: 'safe' | 'all' | 'never'
  readonly logLevel: string
  /** The environment variables of the kernel, the services and the modules. */
  readonly variables: readonly SettingValue[]
}
