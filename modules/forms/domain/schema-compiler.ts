/** Compiles untrusted schemas with ajv: fetches nothing, runs patterns in linear time, shares no state between forms. */

import { createRequire } from 'node:module'
import { type FieldError, once } from '@larder-dev/larder/kernel'
import { extendAjv, fieldErrors } from '@larder-dev/larder/kernel/internal'
import type { Ajv, ErrorObject, Options } from 'ajv'
import { linearPattern } from './patterns.ts'
import type { SchemaError } from './schema-error.ts'
import type { Json } from './schema-traversal.ts'
import { withVisibleTexts } from './visible-texts.ts'

/** Returns all errors of an entry. Pointers begin at its root. */
export type Validator = (data: unknown) => FieldError[]
type Dialect = '2020-12' | 'draft-07'

/** ajv takes 40 ms to load, so only processes that handle forms load it. */
const require = createRequire(import.meta.url)
const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  logger: false,
  meta: false,
  validateSchema: false,
  // Generates one function per referenced schema, where inlining would repeat its code for each reference.
  inlineRefs: false,
  ownProperties: true,
  code: { regExp: Object.assign((source: string) => linearPattern(source), { code: 'linearPattern' }) },
}

/** The dialect that `$schema` names: 2020-12 by default, undefined for an unknown one. */
export function dialectOf({ $schema = 'https://json-schema.org/draft/2020-12/schema' }: Json): Dialect | undefined {
  const [, dialect] =
    /^https?:\/\/json-schema\.org\/(?:draft\/)?(2020-12|draft-07)\/schema#?$/.exec(String($schema)) ?? []
  return dialect as Dialect | undefined
}

function newAjv(dialect: Dialect | undefined, options: Options): Ajv {
  if (dialect === 'draft-07') {
    const { Ajv: Draft07 } = require('ajv') as { Ajv: new (options: Options) => Ajv }
    return new Draft07(options)
  }
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: Options) => Ajv }
  return new Ajv2020(options)
}

/** Throws an Error for a schema that `validateSchema` rejects. */
export function compileSchema(schema: Json): Validator {
  // Unused: references stay inside the schema, and validation is synchronous.
  const { $schema, $id, $async, ...own } = schema
  // A shared instance would retain state of every schema that it compiled.
  const ajv = newAjv(dialectOf(schema), OPTIONS)
  const addFormats = require('ajv-formats') as (ajv: Ajv) => void
  addFormats(ajv)
  extendAjv(ajv)
  const validate = ajv.compile(withVisibleTexts(own) as Json)
  return data => (validate(data) ? [] : fieldErrors(validate.errors ?? [], ''))
}

/** Optimizing the metaschema's code would take longer than it saves on a few schemas. */
const META_OPTIONS: Options = { allErrors: true, strict: false, logger: false, code: { optimize: false } }
const metaAjv: Readonly<Record<Dialect, () => Ajv>> = {
  '2020-12': once(() => newAjv('2020-12', META_OPTIONS)),
  'draft-07': once(() => newAjv('draft-07', META_OPTIONS)),
}

/** Errors of a schema against its metaschema. */
export function metaSchemaErrors(schema: Json): SchemaError[] {
  const ajv = metaAjv[dialectOf(schema) ?? '2020-12']()
  const { $schema, ...rest } = schema
  if (ajv.validateSchema(rest)) return []
  // Alternatives of the metaschema report one mistake several times: keep the first error of each location.
  const pointers = new Set<string>()
  return fieldErrors((ajv.errors ?? []) as ErrorObject[], '')
    .filter(({ pointer }) => !pointers.has(pointer) && pointers.add(pointer))
    .map(({ pointer, code, wording: detail }) => ({ path: pathOf(pointer, schema), code, detail }))
}

/** Tokens of the pointer, with numbers as list indexes. */
function pathOf(pointer: string, schema: Json): (string | number)[] {
  let found: unknown = schema
  return pointer
    .split('/')
    .slice(1)
    .map(token => {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
      const step = Array.isArray(found) ? Number(key) : key
      found = (found as Json | undefined)?.[step]
      return step
    })
}
