/** ajv, for the parts of a recipe of which something has to be told. */
import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'

export function createAjv(): Ajv {
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
  return ajv
}
