/** Rate limits, as routes and pages name them. */
import { MINUTE } from '../base/index.ts'
import type { Caller } from './route.ts'

/** A limit by address, by principal or by a key of the body; points per window in milliseconds. */
export interface RateLimit {
  /** The name under which a recipe may change it, e.g. `auth.login`. */
  readonly name: string
  readonly points: number
  readonly window: number
  /**
   * What is counted: `ip`, `principal`, or parts that the body gives (an e-mail address); undefined is not counted.
   * `ip` by default.
   */
  readonly by?:
    | 'ip'
    | 'principal'
    | ((
        body: unknown,
        ip: string,
        params: Readonly<Record<string, string>>,
        caller: Caller | undefined,
      ) => string | undefined)
  /** Counted in the database, by all processes together: for what guards passwords. */
  readonly shared?: boolean
}

/** What any caller may ask, in all. */
export const API_LIMIT: RateLimit = { name: 'api', points: 300, window: MINUTE, by: 'principal' }
