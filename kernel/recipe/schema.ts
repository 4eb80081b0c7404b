/** The JSON Schema (draft-07) of a recipe, for editors and for the reference of its keys. */

import type { DeclaredKeys, DeclaredModule, Definition } from '../contract/index.ts'
import { type Json, toDraft07 } from './draft07.ts'
import { ReadShape, RecipeShape, UsedModuleShape } from './shape.ts'
import { NO_OPTIONS } from './validate-sections.ts'

export type DescribedModule = DeclaredModule

/** The schema of a recipe with these services and modules. @param declared names of the recipe, which editors complete. */
export function composeSchema(definitions: readonly DescribedModule[], declared: DeclaredKeys = {}): Json {
  const modules = definitions.filter(({ module }) => module.role === 'module')
  const services = definitions.filter(({ module }) => module.role === 'service')
  const keys = Object.assign({}, ...definitions.map(({ module }) => module.sectionKeys?.(modules) ?? {})) as Record<
    string,
    readonly string[]
  >
  const shared: Record<string, unknown> = {}
  const convert = (schema: unknown, prefix = ''): Json => {
    const converted = toDraft07(schema, prefix)
    Object.assign(shared, converted.definitions)
    return converted.schema
  }
  const frame = convert(RecipeShape) as { properties: Json; required: string[] }
  const used = convert(UsedModuleShape)
  const sections = definitions.flatMap(({ key, module }) =>
    Object.entries({ ...module.sections, ...module.sectionSchemas?.(modules) }).map(([name, schema]) => [
      name,
      withKeys(convert(schema, `${key}.`), keys[name] ?? []),
    ]),
  )
  const optionsOf = ({ key, module, source }: DescribedModule): [string, Json] => {
    const described = describe(convert(module.options ?? NO_OPTIONS, `${key}.`), module)
    const options = module.optionItems ? withItems(described, module.optionItems(modules, declared)) : described
    return [key, source === 'larder' ? options : withOptions(used, options)]
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Larder recipe',
    ...frame,
    properties: {
      recipe: frame.properties.recipe,
      ...(convert(ReadShape).properties as Json),
      ...frame.properties,
      modules: {
        ...(frame.properties.modules as Json),
        properties: Object.fromEntries(modules.map(optionsOf)),
        additionalProperties: used,
      },
      services: {
        ...(frame.properties.services as Json),
        properties: Object.fromEntries(services.map(each => [each.key, { anyOf: [used, optionsOf(each)[1]] }])),
        additionalProperties: false,
      },
      ...Object.fromEntries(sections),
    },
    // The other keys may be in the recipe that it extends.
    required: ['recipe'],
    definitions: shared,
  }
}

/** Adds the known keys of a map, so that editors complete them. */
function withKeys(schema: Json, keys: readonly string[]): Json {
  const [value] = Object.values((schema.patternProperties ?? {}) as Json)
  return keys.length === 0 ? schema : { ...schema, properties: Object.fromEntries(keys.map(key => [key, value])) }
}

/** Names known items of lists, or known values of a key of their items, so that editors complete them. Others stay valid. */
function withItems(options: Json, known: Readonly<Record<string, readonly string[]>>): Json {
  const properties = Object.entries((options.properties ?? {}) as Record<string, Json>)
  return {
    ...options,
    properties: Object.fromEntries(
      properties.map(([name, schema]) => {
        const items = known[name]
        const ofItems = Object.entries(known).flatMap(([path, values]): [string, readonly string[]][] =>
          path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), values]] : [],
        )
        return [name, listingKeys(items ? listing(schema, items) : schema, ofItems)]
      }),
    ),
  }
}

/** @param schema of a list, or of a list or something else */
function listing(schema: Json, items: readonly string[]): Json {
  if (schema.type === 'array') return { ...schema, items: { ...(schema.items as Json), examples: items } }
  const { anyOf } = schema as { anyOf?: readonly Json[] }
  return anyOf ? { ...schema, anyOf: anyOf.map(each => listing(each, items)) } : schema
}

/** @param schema of a list of objects with these keys. */
function listingKeys(schema: Json, keys: readonly (readonly [key: string, values: readonly string[]])[]): Json {
  if (keys.length === 0) return schema
  const { items } = schema as { items: Json & { properties: Record<string, Json> } }
  const named = keys.map(([key, examples]) => [key, { ...items.properties[key], examples }])
  return { ...schema, items: { ...items, properties: { ...items.properties, ...Object.fromEntries(named) } } }
}

const describe = (options: Json, { summary }: Definition): Json =>
  summary && !options.description ? { ...options, description: summary } : options

const withOptions = (used: Json, options: Json): Json => ({
  ...used,
  ...(options.description ? { description: options.description } : {}),
  properties: { ...(used.properties as Json), options },
})
