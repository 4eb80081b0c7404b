/** Formats the reference of all recipe keys as Markdown. */
import { composeSchema, type DescribedModule, type Json, schemaToText, toYaml } from '../kernel/recipe/index.ts'

export function recipeDocs(modules: readonly DescribedModule[]): string {
  const { modules: named, services, ...rest } = composeSchema(modules).properties as Record<string, Json>
  const owners = new Map(
    modules.flatMap(({ key, module }) =>
      Object.keys(module.sections ?? {}).map(name => [name, `A section of the ${module.role} \`${key}\`.`]),
    ),
  )
  const [own, theirs] = split(Object.entries(rest), ([name]) => !owners.has(name))
  return [
    '# Recipe',
    '',
    `All keys of a recipe. Values can contain environment variables: \`\${NAME}\` or \`\${NAME:-default}\`.`,
    ...section(
      'General',
      [...own, ['services', { ...services, properties: {} }] as [string, Json]].flatMap(([name, schema]) =>
        rows(name, schema, REQUIRED.includes(name)),
      ),
    ),
    ...Object.entries((named as { properties: Record<string, Json> }).properties).flatMap(([name, schema]) =>
      section(`modules.${name}`, below(`modules.${name}`, schema), schema.description),
    ),
    ...theirs.flatMap(([name, schema]) => section(name, rows(name, schema), owners.get(name))),
    '',
  ].join('\n')
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter(item => !test(item))]
}

/** Required in the recipe or in the one that it extends. */
const REQUIRED = ['recipe', 'product']

type Row = readonly [key: string, value: string, standard: string, description: string]

function section(title: string, found: readonly Row[], about?: unknown): string[] {
  const head = ['', `## ${title}`, '', ...(about ? [String(about), ''] : [])]
  if (found.length === 0) return [...head, 'No options.']
  const lines = found.map(cells => `| ${cells.map(cell).join(' | ')} |`)
  return [...head, '| Key | Value | Default | Description |', '|---|---|---|---|', ...lines]
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The rows of a key and of all keys below it. @param outer the schemas that contain it. */
function rows(key: string, schema: Json, required = false, outer: readonly string[] = []): Row[] {
  const inner = below(key, schema, outer)
  const hasDefault = schema.default !== undefined && !isEmpty(schema.default)
  const standard = hasDefault ? `\`${toYaml(schema.default)}\`` : required ? 'required' : ''
  const about = typeof schema.description === 'string' ? schema.description : ''
  const isMap = inner.length > 0 && schema.type === 'object'
  return [[`\`${key}\``, isMap ? 'a map' : schemaToText(schema), standard, about], ...inner]
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** The keys of maps, of values of maps, of items of lists, and of the alternatives of a value. */
function below(key: string, schema: Json, outer: readonly string[] = []): Row[] {
  const required = (schema.required ?? []) as string[]
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  // Menus and the like repeat their own schema inside: one level is enough.
  const signature = properties.map(([name]) => name).join()
  if (signature !== '' && outer.includes(signature)) return []
  const path = signature === '' ? outer : [...outer, signature]
  const values = [...Object.values((schema.patternProperties ?? {}) as Json), schema.additionalProperties].filter(
    isSchema,
  )
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].flat().filter(isSchema)
  return [
    ...properties
      .filter(([, inner]) => inner !== values[0])
      .flatMap(([name, inner]) => rows(`${key}.${name}`, inner, required.includes(name), path)),
    ...values.slice(0, 1).flatMap(inner => rows(`${key}.<name>`, withNames(inner, properties), false, path)),
    ...(isSchema(schema.items) ? below(`${key}[]`, schema.items, path) : []),
    ...alternatives.flatMap(inner => below(key, inner, path)),
  ]
}

/** Lists the known keys of a map whose values share a schema. */
function withNames(schema: Json, properties: readonly (readonly [string, Json])[]): Json {
  const names = properties.filter(([, inner]) => inner === schema).map(([name]) => name)
  return names.length === 0 ? schema : { ...schema, description: `Known names: ${names.join(', ')}` }
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
