/** How modules compare what two recipes declare, for `larder recipe diff`. Types only. */
import type { RecipeChange } from '@larder-dev/larder/kernel'

/** A part of what a module declares, which can be compared without a database. */
export interface RecipeComparison {
  /** The part of the comparison that lists its changes. */
  readonly topic: 'permissions' | 'data' | 'profile' | 'pages'
  /** What is declared: the module receives it when another recipe is compared with this one. */
  readonly state: unknown
  /** Returns the changes from a recipe with this state; undefined if it doesn't have the module. */
  changesFrom(former: unknown): readonly ComparedChange[]
}

export interface ComparedChange extends RecipeChange {
  /** Paths of the recipe whose difference the change describes. */
  readonly at?: readonly (readonly string[])[]
}
