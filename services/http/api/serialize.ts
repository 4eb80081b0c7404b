/** Serializes replies. The schema is a filter: fields it doesn't name are not sent. */

import { createRequire } from 'node:module'
import { once, wholeSchema } from '@larder-dev/larder/kernel/internal'
import type { TSchema } from 'typebox'

const require = createRequire(import.meta.url)

export type Serialize = (value: unknown) => string
type Build = (schema: object) => Serialize

/** Compiled on first use. Throws a TypeError for a value that matches no branch of a union. */
export function serializerOf(schema: TSchema): Serialize {
  const compiled = once(() => {
    const build = require('fast-json-stringify') as Build
    return build(wholeSchema({ close: false, dialect: 'draft-07' }, schema))
  })
  return value => compiled()(value)
}
