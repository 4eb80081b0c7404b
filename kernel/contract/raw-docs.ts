/** Documentation of routes, raw routes and sockets. Types only. */

import type { TProperties, TSchema } from 'typebox'
import type { DocumentedProblem } from '../base/index.ts'

export interface Described {
  /** One sentence: the `summary` in OpenAPI. */
  readonly summary?: string
  readonly description?: string
  /** Unique in the product, camelCase: `listSessions`. Derived from method and path by default. */
  readonly operationId?: string
  /** Added to the operation in OpenAPI. */
  readonly extensions?: Readonly<Record<`x-${string}`, unknown>>
}

/** Media type → schema; null for bytes or text. */
export type Media = Readonly<Record<string, TSchema | null>>
/** Documentation of a raw route. Nothing is validated against it. */
export interface RawDocs {
  readonly query?: TSchema
  readonly body?: Media
  /** Whether the handler reads `Idempotency-Key`. False by default. */
  readonly idempotent?: boolean
  /** Status → body; null for none. */
  readonly replies: Readonly<Record<number, Media | null>>
  readonly problems?: readonly (DocumentedProblem | string)[]
}

/**
 * Documentation of a socket whose frames are JSON objects `{type, id?, data?}`. Nothing is validated against it.
 * The schemas are of `data`, by `type`.
 */
export interface SocketDocs {
  readonly receives: Readonly<Record<string, TSchema>>
  readonly sends: Readonly<Record<string, TSchema>>
  /** Further members of all frames in one direction. */
  readonly members?: { readonly receives?: TProperties; readonly sends?: TProperties }
  /** Reason → code. */
  readonly closeCodes?: Readonly<Record<string, number>>
}
