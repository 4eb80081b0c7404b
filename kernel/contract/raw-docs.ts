/** What OpenAPI is told of routes, of those too that handle bytes themselves. Types only. */

import type { TSchema } from 'typebox'
import type { ProblemFactory } from '../base/index.ts'

export interface Described {
  /** One plain sentence: OpenAPI's `summary`. */
  readonly summary?: string
  readonly description?: string
}

/** Media type → schema of what it holds; null: bytes, or text. */
export type Media = Readonly<Record<string, TSchema | null>>
/** What OpenAPI tells of a raw route: nothing of it is checked. */
export interface RawDocs {
  readonly query?: TSchema
  readonly body?: Media
  /** Status → its body; null for none. */
  readonly replies: Readonly<Record<number, Media | null>>
  readonly problems?: readonly Pick<ProblemFactory, 'code' | 'status' | 'sentence'>[]
}
