/**
 * A quick yes to most schemas: ajv needs longer to be loaded and to compile JSON Schema about itself than Node to
 * start, and a recipe's check would wait for it.
 */

import { createRequire } from 'node:module'
import { once } from 'larder/kernel'
import { Check } from 'typebox/schema'
import { childrenOf, definitionsOf, type Json, type Part } from './schema-traversal.ts'

const require = createRequire(import.meta.url)
const FOLDER = 'ajv/dist/refs/json-schema-2020-12/meta/'
const VOCABULARIES = ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content']

/** With these a schema that the metaschema lets pass always compiles; of others ajv may know more. */
const WORDS = new Set(
  `$defs $ref title description default examples readOnly writeOnly deprecated $comment type const enum
  properties patternProperties additionalProperties propertyNames required minProperties maxProperties
  items prefixItems minItems maxItems uniqueItems minLength maxLength pattern format
  minimum maximum exclusiveMinimum exclusiveMaximum multipleOf allOf anyOf oneOf not if then else`.split(/\s+/),
)
/** From here on ajv is the faster one, with all that it needs to be there. */
const MAX_PARTS = 200

/** @param schema whose references all lead somewhere. False says no more than that ajv has to be asked. */
export function surelyCompiles({ $schema, $id, ...schema }: Json): boolean {
  const parts = partsOf({ schema, path: [] }, MAX_PARTS)
  const common = parts.every(
    part => Object.keys(part.schema).every(word => WORDS.has(word)) && !isEmpty(part.schema.enum),
  )
  return parts.length < MAX_PARTS && common && Check(metaschema(), schema)
}

/** JSON Schema forbids no empty list of words, ajv does. */
const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0

/** At most as many as `limit`. */
function partsOf(part: Part, limit: number, found: Part[] = []): Part[] {
  if (found.length < limit) {
    found.push(part)
    for (const inner of [...childrenOf(part), ...definitionsOf(part)]) partsOf(inner, limit, found)
  }
  return found
}

/** 2020-12: its seven vocabularies as one schema, so that the dynamic reference that ties them together is a plain one. */
const metaschema = once((): Json => {
  const parts = VOCABULARIES.map(name => require(`${FOLDER}${name}.json`) as { properties: Json; $defs?: Json })
  const whole = {
    type: ['object', 'boolean'],
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    $defs: Object.assign({}, ...parts.map(({ $defs }) => $defs)),
  }
  return JSON.parse(JSON.stringify(whole).replaceAll('{"$dynamicRef":"#meta"}', '{"$ref":"#"}'))
})
