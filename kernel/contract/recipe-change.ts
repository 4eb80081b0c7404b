/** A change that a recipe makes in the database. */
export interface RecipeChange {
  readonly change: 'add' | 'change' | 'remove'
  /** E.g. `plan pro`, `page home (de)`. */
  readonly subject: string
  /** The difference, e.g. `price 2900 → 3900`. */
  readonly detail?: string
  /** The damage, e.g. `3 tenants on this plan lose seats`. `larder recipe apply` asks for confirmation. */
  readonly breaks?: string
}
