/** The types of the values of flags, as a JSON Schema for generated clients. */
import type { Value } from './value.ts'

/** @param flags of the recipe: key → definition. */
export function flagTypes(flags: Readonly<Record<string, { readonly default: Value }>>) {
  const keys = Object.keys(flags).sort()
  const schema = (value: Value | undefined) =>
    typeof value === 'object' ? { type: 'object', additionalProperties: true } : { type: typeof value }
  return {
    type: 'object',
    description: 'Flags of the recipe: key → type of the value.',
    required: keys,
    properties: Object.fromEntries(keys.map(key => [key, schema(flags[key]?.default)])),
  }
}
