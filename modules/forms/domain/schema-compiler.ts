/** ajv, for schemas of strangers: nothing is fetched, patterns run in linear time, nothing is kept between forms. */

import { createRequire } from 'node:module'
import type { Ajv, ErrorObject, Options } from 'ajv'
import { type FieldError, fieldErrors, once } from 'larder/kernel'
import { linearPattern } from './patterns.ts'
import type { Fault } from './schema-validation.ts'
import type { Json } from './schema-traversal.ts'

/** Everything that is wrong with an entry; pointers begin at its root. */
export type Validator = (data: unknown) => FieldError[]
type Dialect = '2020-12' | 'draft-07'

/** 40 ms to load: only a process that handles a form waits for it. */
const require = createRequire(import.meta.url)
const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  logger: false,
  meta: false,
  validateSchema: false,
  // A reference that is used twice is a function that is called twice, and not the same code twice.
  inlineRefs: false,
  ownProperties: true,
  code: { regExp: Object.assign((source: string) => linearPattern(source), { code: 'linearPattern' }) },
}

/** Of what `$schema` says; 2020-12 where it says nothing, undefined where it says something else. */
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

/** Throws an Error on what `schemaFaults` refuses. */
export function compileSchema(schema: Json): Validator {
  // What they name is of no use here: every reference stays inside, and an entry is not waited for.
  const { $schema, $id, $async, ...own } = schema
  // An ajv of its own: one that is shared keeps something of every schema that it ever saw.
  const ajv = newAjv(dialectOf(schema), OPTIONS)
  const addFormats = require('ajv-formats') as (ajv: Ajv) => void
  addFormats(ajv)
  const validate = ajv.compile(own)
  return data => (validate(data) ? [] : fieldErrors(validate.errors ?? [], ''))
}

/** Optimising what checks a few schemas would double the time that it takes to be there. */
const META: Options = { allErrors: true, strict: false, logger: false, code: { optimize: false } }
const metaAjv: Readonly<Record<Dialect, () => Ajv>> = {
  '2020-12': once(() => newAjv('2020-12', META)),
  'draft-07': once(() => newAjv('draft-07', META)),
}

/** What makes it no JSON Schema at all. */
export function metaFaults(schema: Json): Fault[] {
  const ajv = metaAjv[dialectOf(schema) ?? '2020-12']()
  const { $schema, ...rest } = schema
  if (ajv.validateSchema(rest)) return []
  // Of a place that fits none of several descriptions the first fault tells enough.
  const places = new Set<string>()
  return fieldErrors((ajv.errors ?? []) as ErrorObject[], '')
    .filter(({ pointer }) => !places.has(pointer) && places.add(pointer))
    .map(({ pointer, code, detail }) => ({ path: pathOf(pointer, schema), code, detail }))
}

/** Numbers where the schema has a list. */
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
