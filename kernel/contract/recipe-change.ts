/** A change that a recipe makes in the database. */
export interface RecipeChange {
  readonly change: 'add' | 'change' | 'remove'
  /** E.g. `plan pro`, `page home (de)`. */
  readonly subject: string
  /** The difference, e.g. `price 2900 → 3900`. */
  readonly detail?: string
  /** The damage, e.g. `3 tenants on this plan lose seats`. `larder recipe apply` asks for confirmation. */
  readonly breaks?: string
  /**
   * What a start makes of it; by default it applies it. `kept`: only `larder recipe apply` applies it. `narrows`: it
   * refuses values that were accepted, and `LARDER_APPLY=safe` refuses it. `impossible`: rows prevent it, which
   * `reconcile` says.
   */
  readonly effect?: 'kept' | 'narrows' | 'impossible'
  /** What the operator decides. `larder recipe apply` asks for it; `process.answers` has the answer. */
  readonly asks?: RecipeQuestion
}
/** A decision about a change. */
export interface RecipeQuestion {
  /** Stable: names it in `larder recipe apply --answer`. */
  readonly key: string
  /** E.g. `3 open runs of automation escalate`. */
  readonly question: string
  /** The first one is what a start does without an answer. */
  readonly answers: readonly { readonly value: string; readonly title: string }[]
}
