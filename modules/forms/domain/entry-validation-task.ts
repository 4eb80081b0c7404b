/** Validates entries in worker threads. */
import type { FieldError } from '@larder-dev/larder/kernel'
import { compileSchema, type Validator } from './schema-compiler.ts'
import type { Json } from './schema-traversal.ts'

export interface EntryInput {
  /** Identifies the schema. */
  readonly key: string
  readonly schema: Json
  readonly entry: unknown
}

/** Each takes up to about 100 KiB. */
const MAX_CACHED_VALIDATORS = 50
const validators = new Map<string, Validator>()

export const validateEntry = ({ key, schema, entry }: EntryInput): FieldError[] => validatorOf(key, schema)(entry)

function validatorOf(key: string, schema: Json): Validator {
  const validator = validators.get(key) ?? compileSchema(schema)
  // Moves it behind those that were used less recently.
  validators.delete(key)
  validators.set(key, validator)
  const [oldest] = validators.keys()
  if (validators.size > MAX_CACHED_VALIDATORS && oldest !== undefined) validators.delete(oldest)
  return validator
}
