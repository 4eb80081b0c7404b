/** Formats the reference of all recipe keys as Markdown. */
import type { Json } from './draft07.ts'
import { composeSchema, type DescribedModule } from './schema.ts'
import { schemaToText, toYaml } from './schema-to-text.ts'

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

/** The rows of a key and of all keys below it. */
function rows(key: string, schema: Json, required = false): Row[] {
  const inner = below(key, schema)
  const standard =
    schema.default === undefined || isEmpty(schema.default)
      ? required
        ? 'required'
        : ''
      : `\`${toYaml(schema.default)}\``
  const about = typeof schema.description === 'string' ? schema.description : ''
  return [[`\`${key}\``, inner.length > 0 ? 'a map' : schemaToText(schema), standard, about], ...inner]
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

function below(key: string, schema: Json): Row[] {
  const required = (schema.required ?? []) as string[]
  const named = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const [pattern] = Object.values((schema.patternProperties ?? {}) as Record<string, Json>)
  const items = schema.type === 'array' && !Array.isArray(schema.items) ? (schema.items as Json | undefined) : undefined
  return [
    ...named.flatMap(([name, inner]) => rows(`${key}.${name}`, inner, required.includes(name))),
    ...(pattern ? rows(`${key}.<name>`, pattern) : []),
    ...(items?.properties ? below(`${key}[]`, items) : []),
  ]
}
