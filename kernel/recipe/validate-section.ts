/** Checks one part of a recipe against the schema of who owns it, and fills in its defaults. */
import type { Ajv } from 'ajv'
import type { TSchema } from 'typebox'
import type { RecipeProblem } from './diagnostic.ts'
import { toDraft07 } from './draft07.ts'
import { explain } from './explain.ts'
import { surelyFits, unsure } from './sure.ts'
import type { MapTree, Path } from './tree.ts'

export type PartChecker = (schema: TSchema, value: unknown, tree: MapTree, path: Path) => Promise<RecipeProblem[]>

/**
 * Defaults are written into `value`. Throws where `schema` is no JSON schema.
 * @param partial some file could not be read: what is missing may stand in it.
 */
export function createPartChecker(partial = false): PartChecker {
  let ajv: Promise<Ajv> | undefined
  return async (schema, value, tree, path) => {
    const { schema: own, definitions } = toDraft07(schema)
    if (surelyFits(own, value)) return []
    ajv ??= import('./exact.ts').then(({ createAjv }) => createAjv())
    const validate = (await ajv).compile({ ...unsure(own, value), definitions })
    if (validate(value)) return []
    const errors = (validate.errors ?? []).filter(({ keyword }) => !partial || keyword !== 'required')
    return explain(errors, tree, path)
  }
}
