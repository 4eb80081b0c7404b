/** Checks one part of a recipe against the schema of who owns it, and fills in its defaults. */
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { toDraft07 } from './draft07.ts'
import { explain } from './explain.ts'
import type { RecipeProblem } from './problem.ts'
import type { MapTree, Path } from './tree.ts'

export type PartChecker = (schema: TSchema, value: unknown, tree: MapTree, path: Path) => RecipeProblem[]

/**
 * Defaults are written into `value`. Throws where `schema` is no JSON schema.
 * @param partial some file could not be read: what is missing may stand in it.
 */
export function createPartChecker(partial = false): PartChecker {
  const ajv = new Ajv({
    allErrors: true,
    // Errors carry the schema that they broke: what would be right is told from it.
    verbose: true,
    useDefaults: true,
    strict: false,
    // Schemas of modules come from TypeBox; looking them over, and optimising what runs once, would double the time.
    validateSchema: false,
    meta: false,
    code: { optimize: false },
    ownProperties: true,
    logger: false,
  })
  ajvFormats.default(ajv)
  return (schema, value, tree, path) => {
    const { schema: own, definitions } = toDraft07(schema)
    const validate = ajv.compile({ ...own, definitions })
    if (validate(value)) return []
    const errors = (validate.errors ?? []).filter(({ keyword }) => !partial || keyword !== 'required')
    return explain(errors, tree, path)
  }
}
