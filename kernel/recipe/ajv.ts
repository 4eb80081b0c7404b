import { Ajv, type ValidateFunction } from 'ajv'
import ajvFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { extendAjv } from '../base/index.ts'
import { toDraft07 } from './draft07.ts'

const ajv = new Ajv({
  allErrors: true,
  // Diagnostics read the schema that a value violates, to suggest a valid one.
  verbose: true,
  useDefaults: true,
  strict: false,
  // TypeBox writes the schemas. Validating them, and optimizing code that runs once, would double the time.
  validateSchema: false,
  meta: false,
  code: { optimize: false },
  ownProperties: true,
  logger: false,
  // `compiled` holds them instead, as long as their definition is in use.
  addUsedSchema: false,
})
ajvFormats.default(ajv)
extendAjv(ajv)

const compiled = new WeakMap<TSchema, ValidateFunction>()

/** Compiles a schema once per process. The validator writes defaults into its input. Throws if `schema` is invalid. */
export function validatorOf(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const { schema: draft07, definitions } = toDraft07(schema)
  const validate = ajv.compile({ ...draft07, definitions })
  compiled.set(schema, validate)
  return validate
}
