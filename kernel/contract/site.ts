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
      /** The one address of what is shown, where it may be reached under others: `/about` for `/about/`. */
      readonly path?: string
      /**
       * This very object is answered again until something changes: strangers are shown it as it was rendered before,
       * with an ETag. It must not depend on the reader beyond their language.
       */
      readonly cacheable?: true
    })

/** What templates see as `site`: e.g. `{ menu: […] }`. */
export type Frame = Readonly<Record<string, unknown>>

export interface Site {
  /** Every page that `find` may name, `<module>.<name>`: compiled at the start, so that mistakes show there. */
  readonly templates?: readonly string[]
  /** For GET alone, in the order of needs until one answers. Null: nothing is here. A thrown Problem is shown. */
  find?(visit: SiteVisit): Promise<SiteAnswer | null>
  /**
   * What the module adds to the layout of every page, whoever's it is. For strangers the same object as long as nothing
   * changed; it must not depend on the path.
   */
  frame?(visit: SiteVisit): Promise<Frame>
}

/** A mistake in a recipe, and its location: a path from the root of the recipe, or a place in another file. */
export interface RecipeFault {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** How to correct it. */
  readonly hint?: string
  /** `key` points at the key instead of its value. */
  readonly at?: 'key' | 'value'
  /** In a file that the recipe refers to; lines and columns count from 1. */
  readonly place?: { readonly file: string; readonly line: number; readonly column: number }
}
