/** The options of a module as single settings, with their defaults and descriptions. */
import { isDeepStrictEqual } from 'node:util'

/** The part of a JSON Schema that is read here. */
export interface OptionSchema {
  readonly properties?: Readonly<Record<string, OptionSchema>>
  readonly description?: string
  readonly default?: unknown
  readonly writeOnly?: boolean
}
export interface OptionSetting {
  /** `sessions.ttl`. */
  readonly name: string
  readonly description: string | null
  readonly value: unknown
  readonly source: 'recipe' | 'default'
  readonly secret: boolean
}
const MASK = '***'

/** @param options with secrets as `***`. */
export function optionSettings(schema: OptionSchema, options: unknown, prefix = ''): OptionSetting[] {
  const values = (typeof options === 'object' && options !== null ? options : {}) as Readonly<Record<string, unknown>>
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`
    const value = values[key]
    if (property.properties) return optionSettings(property, value, `${name}.`)
    // The recipe has defaults already: an option that repeats its default can't be told from one that is absent.
    const isDefault = value === undefined || isDeepStrictEqual(value, property.default)
    return [
      {
        name,
        description: property.description ?? null,
        value: isDefault ? (property.default ?? null) : value,
        source: isDefault ? ('default' as const) : ('recipe' as const),
        secret: property.writeOnly === true || value === MASK,
      },
    ]
  })
}
