/** The reference of every key of a recipe as Markdown, from the schema that checks it. */
import type { Json } from './draft07.ts'
import { composeSchema, type DescribedModule } from './schema.ts'
import { schemaToText, shown } from './schema-to-text.ts'

export function recipeDocs(modules: readonly DescribedModule[]): string {
  const { modules: named, services, ...rest } = composeSchema(modules).properties as Record<string, Json>
  const owners = new Map(
    modules.flatMap(({ key, module }) =>
      Object.keys(module.sections ?? {}).map(name => [name, `Of the ${module.role} \`${key}\`.`]),
    ),
  )
  const [own, theirs] = split(Object.entries(rest), ([name]) => !owners.has(name))
  return [
    '# Recipe',
    '',
    `Every key that a recipe may hold. \`\${NAME}\` and \`\${NAME:-default}\` stand for variables of the environment.`,
    ...section(
      'The recipe',
      [...own, ['services', { ...services, properties: {} }] as [string, Json]].flatMap(([name, schema]) =>
        rows(name, schema, NEEDED.includes(name)),
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

/** What a recipe cannot do without; one that extends another may take them from there. */
const NEEDED = ['recipe', 'product']

type Row = readonly [key: string, what: string, standard: string, about: string]

function section(title: string, found: readonly Row[], about?: unknown): string[] {
  const head = ['', `## ${title}`, '', ...(about ? [String(about), ''] : [])]
  if (found.length === 0) return [...head, 'It has no options.']
  const lines = found.map(cells => `| ${cells.map(cell).join(' | ')} |`)
  return [...head, '| key | value | default | |', '|---|---|---|---|', ...lines]
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A key, and everything below it. */
function rows(key: string, schema: Json, required = false): Row[] {
  const inner = below(key, schema)
  const standard =
    schema.default === undefined || isEmpty(schema.default)
      ? required
        ? 'required'
        : ''
      : `\`${shown(schema.default)}\``
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
