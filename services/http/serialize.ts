/** Writes answers: the reply schema is the filter, so a field that it does not name never leaves. */

import { createRequire } from 'node:module'
import { once, wholeSchema } from 'larder/kernel'
import type { TSchema } from 'typebox'

const require = createRequire(import.meta.url)

export type Serialize = (value: unknown) => string
type Build = (schema: object) => Serialize

/** Compiled at the first answer. Throws a TypeError on a value that fits no branch of a union. */
export function serializerOf(schema: TSchema): Serialize {
  const compiled = once(() => {
    const build = require('fast-json-stringify') as Build
    return build(wholeSchema({ close: false, dialect: 'draft-07' }, schema))
  })
  return value => compiled()(value)
}
