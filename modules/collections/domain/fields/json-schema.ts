/** Schemas of `json` fields, compiled with ajv as JSON Schema 2020-12. */
import { createRequire } from 'node:module'
import { type FieldError, KIB } from '@larder-dev/larder/kernel'
import { extendAjv, fieldErrors } from '@larder-dev/larder/kernel/internal'
import type { Ajv, Options } from 'ajv'
import { linearPattern } from './patterns.ts'

type Json = Readonly<Record<string, unknown>>

const MAX_SCHEMA_BYTES = 64 * KIB
const require = createRequire(import.meta.url)
const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  logger: false,
  ownProperties: true,
  code: {
    regExp: Object.assign((source: string) => ({ test: linearPattern(source), toString: () => `re2:${source}` }), {
      code: 'linearPattern',
    }),
  },
}

/** Returns all errors of a value. Throws an Error for an invalid schema. */
export function compileJsonSchema(schema: Json): (value: unknown) => FieldError[] {
  const ajv = createAjv()
  const { $schema, $id, ...own } = schema
  const validate = ajv.compile(own)
  return value => (validate(value) ? [] : fieldErrors(validate.errors ?? [], ''))
}

/** Returns the end of a sentence about the schema; undefined for a valid one. */
export function jsonSchemaError(schema: Json): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  if (bytes > MAX_SCHEMA_BYTES) return `has ${bytes} bytes, over the limit of ${MAX_SCHEMA_BYTES}`
  try {
    compileJsonSchema(schema)
    return undefined
  } catch (error) {
    return `is invalid: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The first error of a value: `/0/title must be a string`. */
export function jsonValueError(schema: Json, value: unknown): string | undefined {
  const [error] = compileJsonSchema(schema)(value)
  return error && `${error.pointer} ${error.detail}`.trim()
}

/** Loaded on demand: it takes 40 ms, and few products have such fields. */
function createAjv(): Ajv {
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: Options) => Ajv }
  const ajv = new Ajv2020(OPTIONS)
  const addFormats = require('ajv-formats') as (ajv: Ajv) => void
  addFormats(ajv)
  extendAjv(ajv)
  return ajv
}
