/** What a module shows at addresses that no route and no page declares: found at each request. Types only. */
import type { Caller, PageResult, RequestFacts } from './route.ts'

export interface SiteVisit {
  /** As it was asked for: escaped, without the query. */
  readonly path: string
  /** Behind the question mark; empty without one. */
  readonly search: string
  /** The reader's, one of the product's. */
  readonly locale: string
  readonly caller: Caller | undefined
  readonly request: RequestFacts
}

export type SiteAnswer =
  | { readonly redirect: string; readonly status: 301 | 302 | 307 | 308 }
  | (Extract<PageResult, { data: unknown }> & {
      /** One of `templates`. */
      readonly name: string
      readonly title: string
      readonly description?: string
      /** Of what is shown, where it is not the reader's. */
      readonly locale?: string
    })

export interface Site {
  /** Every page that `find` may name, `<module>.<name>`: compiled at the start, so that mistakes show there. */
  readonly templates: readonly string[]
  /** For GET alone, in the order of needs until one answers. Null: nothing is here. A thrown Problem is shown. */
  find(visit: SiteVisit): Promise<SiteAnswer | null>
}

/** A mistake that a module finds in its part of the recipe, and where: a path from the root of the recipe. */
export interface RecipeFault {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** What would be right. */
  readonly hint?: string
}

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
