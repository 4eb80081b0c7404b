/** One thing that a changed recipe does to what is in the database. */
export interface RecipeChange {
  readonly change: 'add' | 'change' | 'remove'
  /** E.g. `plan pro`, `page home (de)`. */
  readonly subject: string
  /** What is different, e.g. `price 2900 → 3900`. */
  readonly detail?: string
  /** Who is hurt by it, e.g. `3 subscriptions stand on it`; `larder recipe apply` asks before it does such a thing. */
  readonly breaks?: string
}
