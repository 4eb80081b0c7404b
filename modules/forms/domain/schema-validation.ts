/** Validates the schema of a form: JSON Schema within limits that keep one form from slowing down the others. Pure. */
import { isRecord, KIB, wording } from '@larder-dev/larder/kernel'
import { inLanguage, schemaTexts, textErrors, uiTexts } from './local-texts.ts'
import { compileSchema, dialectOf, metaSchemaErrors } from './schema-compiler.ts'
import { type Report, schemaCost } from './schema-cost.ts'
import type { SchemaError } from './schema-error.ts'
import type { Json } from './schema-traversal.ts'

export const MAX_SCHEMA_BYTES = 64 * KIB
export const MAX_SCHEMA_DEPTH = 20
/** Schemas that validate one value, references included, plus steps of patterns. */
const MAX_COST = 5000

/** Returns all errors of a schema. A schema without errors compiles. */
export function validateSchema(schema: unknown): SchemaError[] {
  const errors = [...validateSize(schema), ...rootErrors(schema)]
  if (errors.length > 0 || !isRecord(schema)) return errors
  const checks = [subschemaErrors, titleErrors, metaErrors, compileErrors]
  for (const check of checks) {
    const found = check(schema)
    if (found.length > 0) return found
  }
  return []
}

/** Returns all errors of a uiSchema. */
export function validateUiSchema(uiSchema: Json): SchemaError[] {
  const errors = validateSize(uiSchema)
  return errors.length > 0 ? errors : textErrors(uiSchema, uiTexts)
}

/** Checks the size and depth of a schema or uiSchema. */
function validateSize(value: unknown): SchemaError[] {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  if (bytes > MAX_SCHEMA_BYTES)
    return [
      {
        path: [],
        code: 'too_long',
        detail: wording('is {bytes} bytes of JSON, over the limit of {limit}', { bytes, limit: MAX_SCHEMA_BYTES }),
      },
    ]
  return deeperThan(value, MAX_SCHEMA_DEPTH)
    ? [
        {
          path: [],
          code: 'too_deep',
          detail: wording('is nested deeper than {limit} levels', { limit: MAX_SCHEMA_DEPTH }),
        },
      ]
    : []
}

const deeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(inner => deeperThan(inner, levels - 1)))

function rootErrors(schema: unknown): SchemaError[] {
  if (!isRecord(schema))
    return [{ path: [], code: 'wrong_type', detail: wording('must be a JSON Schema of an object') }]
  const errors: SchemaError[] = []
  if (schema.type !== undefined && schema.type !== 'object')
    errors.push({
      path: ['type'],
      code: 'not_allowed',
      detail: wording('must be object, because an entry is an object'),
    })
  if (dialectOf(schema) === undefined)
    errors.push({ path: ['$schema'], code: 'not_allowed', detail: wording('must be JSON Schema 2020-12 or draft-07') })
  return errors
}

/** Checks references, patterns, and the total cost of validation. */
function subschemaErrors(root: Json): SchemaError[] {
  const errors: SchemaError[] = []
  const report: Report = (path, detail, code = 'not_allowed') => void errors.push({ path, code, detail })
  const total = schemaCost(root, report)
  if (total > MAX_COST && errors.length === 0)
    report(
      [],
      wording('is too costly to validate: at most {limit} subschemas and pattern steps are allowed', {
        limit: MAX_COST,
      }),
      'too_costly',
    )
  return errors
}

const titleErrors = (schema: Json): SchemaError[] => textErrors(schema, schemaTexts)

/** JSON Schema has one title, so the schema is checked as one reader sees it. */
const metaErrors = (schema: Json): SchemaError[] => metaSchemaErrors(inLanguage(schema, schemaTexts, 'en', 'en'))

function compileErrors(schema: Json): SchemaError[] {
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    return [
      {
        path: [],
        code: 'invalid',
        detail: wording('does not compile: {reason}', {
          reason: error instanceof Error ? error.message : String(error),
        }),
      },
    ]
  }
}
