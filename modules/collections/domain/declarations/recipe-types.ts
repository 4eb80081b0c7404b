/** The collections of a recipe as types for the hooks of modules. Pure. */
import type { Collection, Collections, Field } from './collection.ts'

/** TypeScript for `larder types`; undefined for a recipe without collections of its own. */
export function recipeTypes(collections: Collections): string | undefined {
  const own = [...collections.values()].filter(({ from }) => from === 'recipe')
  if (own.length === 0) return undefined
  return [
    "/** Fields of the recipe's collections, for hooks and rows in code: `interface RecipeCollections` of `@larder-dev/larder/collections`. */",
    'export interface RecipeCollections {',
    ...own.map(collectionType),
    '}',
  ].join('\n')
}

const collectionType = ({ name, fields }: Collection): string =>
  [
    `  readonly ${name}: {`,
    '    readonly fields: {',
    ...[...fields.values()].map(field => `      readonly ${field.name}: { ${optionsOf(field).join('; ')} }`),
    '    }',
    '  }',
  ].join('\n')

/** The options that the types of values depend on, and those that a type of field requires. */
function optionsOf({
  type,
  required,
  writeOnce,
  readOnly,
  from,
  values,
  states,
  sequence,
  currency,
  reference,
  computed,
  ...field
}: Field) {
  const isWritten = computed === undefined
  const options: Readonly<Record<string, unknown>> = {
    type,
    required: (isWritten && required && sequence === undefined) || undefined,
    writeOnce: (isWritten && writeOnce) || undefined,
    readOnly: (isWritten && readOnly && sequence === undefined) || undefined,
    sequence,
    private: field.private || undefined,
    default: type === 'json' ? undefined : (field.default ?? defaultOf(field)),
    from,
    values,
    transitions: states && Object.fromEntries(states.transitions),
    currency,
    to: reference?.to,
    many: reference?.many || undefined,
    expression: computed?.expression,
    of: computed?.of,
  }
  const literals = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`readonly ${name}: ${literal(value)}`],
  )
  // A value of JSON isn't written as a type.
  return type === 'json' && field.default !== undefined ? [...literals, 'readonly default: unknown'] : literals
}

const defaultOf = ({ defaultFrom }: Pick<Field, 'defaultFrom'>): unknown =>
  defaultFrom && 'variable' in defaultFrom ? defaultFrom.variable : defaultFrom

const literal = (value: unknown): string =>
  Array.isArray(value) ? `readonly [${value.map(each => JSON.stringify(each)).join(', ')}]` : JSON.stringify(value)
