/** Validates a section of a recipe against a schema, and fills in defaults. */
import type { TSchema } from 'typebox'
import { validatorOf } from './ajv.ts'
import type { Diagnostic } from './diagnostic.ts'
import { explain } from './explain.ts'
import type { MapTree, Path } from './tree.ts'

export type SectionValidator = (schema: TSchema, value: unknown, tree: MapTree, path: Path) => Diagnostic[]

/**
 * Defaults are written into `value`. Throws if `schema` is not a valid JSON Schema.
 * @param partial true if a file could not be read: it may contain the missing keys.
 */
export const createSectionValidator =
  (partial = false): SectionValidator =>
  (schema, value, tree, path) => {
    const validate = validatorOf(schema)
    if (validate(value)) return []
    const errors = (validate.errors ?? []).filter(({ keyword }) => !partial || keyword !== 'required')
    return explain(errors, tree, path)
  }
