/** Rate limits of routes and pages. */
import { MINUTE } from '../base/index.ts'
import type { Caller, RequestFacts } from './caller.ts'

/** A limit per IP address, principal or key derived from the body: points per window in milliseconds. */
export interface RateLimit {
  /** Recipes override the limit by this name, for example `auth.login`. */
  readonly name: string
  readonly points: number
  readonly window: number
  /**
   * The key: `ip` (default), `principal`, or a value derived from the body, such as an email address. Undefined isn't
   * counted.
   */
  readonly by?:
    | 'ip'
    | 'principal'
    | ((
        body: unknown,
        ip: string,
        params: Readonly<Record<string, string>>,
        caller: Caller | undefined,
        request: RequestFacts,
      ) => string | undefined)
  /** Counted in the database, across processes. For endpoints that check passwords. */
  readonly shared?: boolean
  /**
   * Above the limit, serves one request per key and process at a time, each after twice the delay of the previous one, up
   * to window divided by points. Others are rejected. Use it for limits that an attacker could exhaust to lock out a user.
   */
  readonly delays?: boolean
}

/** The limit on all requests of a caller. */
export const API_LIMIT: RateLimit = { name: 'api', points: 300, window: MINUTE, by: 'principal' }
