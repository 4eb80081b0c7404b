/** Checks the input of a step against the schema of its action. */
import { type Action, type ActionRecipe, didYouMean, isRecord, valueKind } from '@larder-dev/larder/kernel'
import { type Path, parseExpression } from '../domain/values/expression.ts'
import type { RowKinds } from '../services/row-kinds.ts'
import type { Offered } from './offered.ts'
import {
  ANY,
  fits,
  isMistake,
  literalMistake,
  type Mistake,
  nameOf,
  type Schema,
  schemaAt,
  withoutNull,
} from './types.ts'

type At = readonly (string | number)[]

/** The mistakes in a value of the recipe, where this schema is expected. */
export function valueMistakes(value: unknown, expected: Schema, offered: Offered, at: At): Mistake[] {
  if (typeof value === 'string') return textMistakes(value, expected, offered, at)
  if (Array.isArray(value)) {
    const mistake = literalMistake([], { ...expected, enum: undefined })
    if (mistake) return [invalid(at, mistake)]
    return value.flatMap((item, index) =>
      valueMistakes(item, (expected.items ?? ANY) as Schema, offered, [...at, index]),
    )
  }
  if (isRecord(value)) return objectMistakes(value, expected, offered, at)
  const mistake = literalMistake(value, expected)
  return mistake ? [invalid(at, mistake)] : []
}

function objectMistakes(
  value: Readonly<Record<string, unknown>>,
  expected: Schema,
  offered: Offered,
  at: At,
): Mistake[] {
  const schema = withoutNull(expected)
  const properties = schema.properties as Readonly<Record<string, Schema>> | undefined
  const others = schema.additionalProperties
  const inner = Object.entries(value).flatMap(([name, each]): Mistake[] => {
    const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (own) return valueMistakes(each, own, offered, [...at, name])
    if (isRecord(others)) return valueMistakes(each, others, offered, [...at, name])
    if (!properties || others === true || schema.patternProperties)
      return valueMistakes(each, ANY, offered, [...at, name])
    const hint = didYouMean(name, Object.keys(properties))
    return [{ path: [...at, name], code: 'unknown_key', message: `Unknown key "${name}"`, ...(hint && { hint }) }]
  })
  const needed = (schema.required ?? []) as readonly string[]
  const missing = needed.filter(name => !(name in value))
  return [
    ...inner,
    ...missing.map(name => ({ path: at, code: 'missing_key', message: `Missing key "${name}"`, hint: `Add ${name}` })),
  ]
}

function textMistakes(text: string, expected: Schema, offered: Offered, at: At): Mistake[] {
  const expression = parseExpression(text)
  if (expression.kind === 'invalid')
    return [
      {
        path: at,
        code: 'invalid_placeholder',
        message: `${expression.found} is no value`,
        hint: 'Write {{row.title}}',
      },
    ]
  if (expression.kind === 'literal') {
    const [inner] = /\$(row|event|input|steps|previous|workspace|product|item)\.\w+/.exec(expression.text) ?? []
    if (inner !== undefined && !text.startsWith('$$'))
      return [
        {
          path: at,
          code: 'literal_value',
          severity: 'warning',
          message: `${inner} is no value within a text`,
          hint: `Write {{${inner.slice(1)}}}`,
        },
      ]
    const mistake = literalMistake(expression.text, expected)
    return mistake ? [invalid(at, mistake)] : []
  }
  if (expression.kind === 'value') return pathMistakes(expression.path, text, expected, offered, at)
  const inner = expression.parts.flatMap(part =>
    typeof part === 'string' ? [] : pathMistakes(part, `{{${part.join('.')}}}`, ANY, offered, at),
  )
  if (inner.length > 0 || fits({ type: 'string' }, expected)) return inner
  return [invalid(at, { message: `must be ${nameOf(withoutNull(expected))}, and a text with {{ }} is a text` })]
}

export function pathMistakes(path: Path, written: string, expected: Schema, offered: Offered, at: At): Mistake[] {
  const found = schemaAt(offered.schema, path, written)
  if (isMistake(found)) return [{ path: at, ...found }]
  if (fits(found, expected)) return []
  const hint = expectsText(expected) && path.length > 0 ? { hint: `Write "{{${path.join('.')}}}"` } : {}
  return [
    {
      path: at,
      code: 'wrong_type',
      message: `${written} is ${nameOf(withoutNull(found))}, but ${nameOf(withoutNull(expected))} belongs here`,
      ...hint,
    },
  ]
}
const expectsText = (schema: Schema): boolean =>
  withoutNull(schema).type === 'string' && withoutNull(schema).format === undefined

const invalid = (path: At, { message, hint }: Pick<Mistake, 'message' | 'hint'>): Mistake => ({
  path,
  code: 'invalid_value',
  message: `${String(path.at(-1))} ${message}`,
  ...(hint && { hint }),
})

export interface StepFindings {
  readonly mistakes: readonly Mistake[]
  /** The schemas of its input and its output, for example with the fields of the collection that it names. */
  readonly input: Schema
  readonly output: Schema
  /** Types of events that it publishes. */
  readonly events: readonly string[]
  /** Names of the fields that it changes; undefined if they aren't known. */
  readonly changes: readonly string[] | undefined
}

/** @param at of the input. */
export function actionMistakes(
  action: Action,
  written: Readonly<Record<string, unknown>>,
  offered: Offered,
  { recipe, rows, at }: { readonly recipe: ActionRecipe; readonly rows: RowKinds; readonly at: At },
): StepFindings {
  const collectionOf = (value: unknown) => collectionAt(value, offered, rows)
  const shape = action.check?.(written, recipe, { collectionOf }) ?? {}
  const input = (shape.input ?? action.input) as unknown as Schema
  const output = (shape.output ?? action.output ?? ANY) as unknown as Schema
  const own = (shape.mistakes ?? []).map(({ path, ...rest }) => ({ path: [...at, ...path], ...rest }))
  const properties = (input.properties ?? {}) as Readonly<Record<string, Schema>>
  // Rows, people and grants have rules of their own.
  const special = Object.keys(properties).filter(
    name => valueKind(properties[name] as Schema) !== undefined && name in written,
  )
  const plain = { ...input, properties: { ...properties, ...Object.fromEntries(special.map(name => [name, ANY])) } }
  return {
    input,
    output,
    events: shape.events ?? [],
    changes: shape.changes,
    mistakes: [
      ...own,
      ...objectMistakes(written, plain, offered, at),
      ...special.flatMap(name =>
        specialMistakes(written[name], properties[name] as Schema, offered, rows, [...at, name]),
      ),
    ],
  }
}

/**
 * `$row` is a row of the trigger's collection, and `$row.project` of the one that the field refers to. `$steps.made` is a
 * row if its action returns the collection and the ID of one.
 */
function collectionAt(value: unknown, { collection, schema }: Offered, rows: RowKinds): string | undefined {
  const expression = typeof value === 'string' ? parseExpression(value) : undefined
  if (expression?.kind !== 'value') return undefined
  const [root, field, ...deeper] = expression.path
  if (root === 'row' && deeper.length === 0)
    return field === undefined ? collection : referenceOf(rows, collection, field)
  const found = schemaAt(schema, expression.path, String(value))
  return isMistake(found) ? undefined : returnedCollection(found)
}

/** Undefined for a member. */
function referenceOf(rows: RowKinds, collection: string | undefined, field: string): string | undefined {
  const to = rows.all.get(collection ?? '')?.references[field]
  return to !== undefined && rows.all.has(to) ? to : undefined
}

/** The collection of a row that an action returned. */
function returnedCollection(schema: Schema): string | undefined {
  const properties = withoutNull(schema).properties as Readonly<Record<string, Schema>> | undefined
  const name: unknown = properties?.id && properties.collection?.const
  return typeof name === 'string' ? name : undefined
}

/** Whether a step returns rows. What people, other systems and JSON fields contain is none, whatever it looks like. */
function isReturnedRow([root]: Path, schema: Schema): boolean {
  const { properties } = withoutNull(schema)
  return (
    (root === 'steps' || root === 'item') && isRecord(properties) && 'collection' in properties && 'id' in properties
  )
}

function specialMistakes(value: unknown, schema: Schema, offered: Offered, rows: RowKinds, at: At): Mistake[] {
  const kind = valueKind(schema)
  const expression = typeof value === 'string' ? parseExpression(value) : undefined
  if (kind === 'person') {
    const isNobody = expression?.kind === 'literal' && !/@|^(usr|mem)_/.test(expression.text)
    return isNobody
      ? [
          invalid(at, {
            message: 'must be an address, or a person',
            hint: 'Write support@example.com, or $row.createdBy',
          }),
        ]
      : valueMistakes(value, { type: 'string' }, offered, at)
  }
  if (kind === 'row') {
    const noRow = {
      path: at,
      code: 'no_row',
      message: `${String(at.at(-1))} must be a row`,
      hint: 'Write $row, or $row.project',
    }
    if (expression?.kind !== 'value') return [noRow]
    const found = schemaAt(offered.schema, expression.path, String(value))
    if (isMistake(found)) return [{ path: at, ...found }]
    if (offered.isGone && expression.path[0] === 'row' && expression.path.length === 1)
      return [
        {
          path: at,
          code: 'row_gone',
          message: 'The row of a deleted event is gone',
          hint: 'Its values can be read, such as $row.id',
        },
      ]
    return isReturnedRow(expression.path, found) || collectionAt(value, offered, rows) !== undefined ? [] : [noRow]
  }
  if (expression && expression.kind !== 'literal' && !isChosen(expression, offered))
    return [
      {
        path: at,
        code: 'not_literal',
        message: `${String(at.at(-1))} grants something, so the recipe must write it out`,
        hint: "Only a value of a button's input, or the answer to an ask, can stand here",
      },
    ]
  return valueMistakes(value, { ...schema }, offered, at)
}

/** A whole value that a person has chosen. */
const isChosen = (expression: ReturnType<typeof parseExpression>, { schema }: Offered): boolean =>
  expression.kind === 'value' && Reflect.get(schemaAt(schema, expression.path, ''), 'chosen') === true
