/** Pages at paths that no route or page declares, looked up for each request. Types only. */
import type { Caller, RequestFacts } from './caller.ts'
import type { PageResult } from './route.ts'

/** A request for a path of a site. */
export interface SiteVisit {
  /** The path as requested: escaped, without the query. */
  readonly path: string
  /** The query string without the question mark; may be empty. */
  readonly search: string
  /** The reader's locale. */
  readonly locale: string
  readonly caller: Caller | undefined
  readonly request: RequestFacts
}

/** A page that a site returns, or a redirect. */
export type SiteAnswer =
  | { readonly redirect: string; readonly status: 301 | 302 | 307 | 308 }
  | (Extract<PageResult, { data: unknown }> & {
      /** One of the module's `siteTemplates`. */
      readonly name: string
      readonly title: string
      readonly description?: string
      /** Locale of the content, if it differs from the reader's. */
      readonly locale?: string
      /** The canonical path: `/about` for `/about/`. */
      readonly path?: string
      /** Values of the parameters in the page's path, for the queries of its template. */
      readonly params?: Readonly<Record<string, string>>
      /**
       * Set if `find` returns this same object until something changes. Anonymous visitors then get the page from a cache,
       * with an ETag. It may depend only on the reader's language.
       */
      readonly cacheable?: true
      /** Rows that the page shows beside those that its template queries. */
      readonly rows?: SiteRows
    })

/** Queries as in the front matter of a page template, which need the registration `pageData`. */
export interface SiteRows {
  readonly queries: Readonly<Record<string, unknown>>
  /** Returns data for the template. @param results by the names of the queries. */
  toData(results: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/** The value of `site` in templates, for example `{ menu: […] }`. */
export type LayoutData = Readonly<Record<string, unknown>>

/** Serves paths that no route or page declares. */
export interface Site {
  /** Called for GET, and for submissions of forms, in dependency order until one returns a page. Null: not found. A thrown Problem is sent. */
  find?(visit: SiteVisit): Promise<SiteAnswer | null>
  /**
   * Data for the layout of every page of all modules. For anonymous visitors, returns the same object until something
   * changes, independent of the path. `timeZone` (IANA) is the reader's time zone for the helper `date`.
   */
  layoutData?(visit: SiteVisit): Promise<LayoutData>
}

/** The page templates of a site, and the names that they have in addition to those of every page. */
export interface SiteTemplates {
  readonly names: readonly string[]
  readonly data: readonly string[]
}

/** What a template may name in a value of its data; undefined if anything. */
export type DataShape =
  | {
      readonly keys: Readonly<Record<string, DataShape>>
      readonly of: string
      /** Whether the helper `markdown` can render it. */
      readonly isMarkdown?: boolean
    }
  | { readonly items: DataShape }
  | undefined

/** Checks what page templates and cards of the console request. */
export interface PageDataCheck {
  /** Reads a query under `data`. */
  query(query: unknown): { readonly mistakes: readonly string[]; readonly shape: DataShape }
  /**
   * Returns the mistakes in a form under `forms`.
   * @param data the results of the queries.
   * @param page whether other sites may show it in a frame, where nobody is signed in.
   */
  form(
    form: unknown,
    data: Readonly<Record<string, DataShape>>,
    page: { readonly isEmbedded: boolean },
  ): readonly string[]
  /**
   * Returns the mistakes in a count of rows that everybody who reads the collection may ask for.
   * @param parameters of the route that counts them.
   */
  count(collection: string, parameters: Readonly<Record<string, string | readonly string[]>>): readonly string[]
}

/** A mistake in a recipe, and its location: a path from the root of the recipe, or a place in another file. */
export interface RecipeDiagnostic {
  /** `error` by default. Warnings don't prevent a start. */
  readonly severity?: 'error' | 'warning'
  /** Stable; `rule_violated` by default. */
  readonly code?: string
  readonly path: readonly (string | number)[]
  readonly message: string
  /** How to correct it. */
  readonly hint?: string
  /** `key` points at the key instead of its value. */
  readonly at?: 'key' | 'value'
  /**
   * Whether the mistake is reported only in files of the product, because its author can't correct a shipped recipe.
   */
  readonly ownFilesOnly?: boolean
  /** In a file that the recipe refers to; lines and columns count from 1. */
  readonly place?: { readonly file: string; readonly line: number; readonly column: number }
}
