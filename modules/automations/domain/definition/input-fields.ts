/** The form of a button, and the body of a hook, as JSON Schema. Pure. */
import { type LocalText, Nullable, pickText, type TSchema, Type } from '@larder-dev/larder/kernel'
import type { DeclaredInputField } from './declared.ts'

const MAX_LINE = 500
const MAX_TEXT = 10_000

const TYPES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  integer: { type: 'integer' },
  money: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  email: { type: 'string', format: 'email', maxLength: 254 },
  url: { type: 'string', format: 'uri', maxLength: 2000 },
  longtext: { type: 'string', maxLength: MAX_TEXT },
  markdown: { type: 'string', maxLength: MAX_TEXT },
  json: {},
}

/** Types of fields that a form or a body can have. */
export const INPUT_TYPES: readonly string[] = [
  ...Object.keys(TYPES),
  'text',
  'enum',
  'member',
  'reference',
  'slug',
  'duration',
]

/** @param isClosed whether other fields are refused. A hook gets those of its sender. */
export function inputObject(fields: Readonly<Record<string, DeclaredInputField>>, isClosed: boolean) {
  const properties = Object.entries(fields).map(([name, field]) => {
    const schema = fieldSchema(field)
    return [name, field.required ? schema : Type.Optional(Nullable(schema))] as const
  })
  return Type.Object(Object.fromEntries(properties), { additionalProperties: !isClosed })
}

function fieldSchema(field: DeclaredInputField): TSchema {
  const { type, values, label, min, max, minLength, maxLength } = field
  const base = TYPES[type] ?? { type: 'string', maxLength: MAX_LINE }
  const bounds =
    base.type === 'string'
      ? { ...whole('minLength', minLength), ...whole('maxLength', maxLength) }
      : { ...whole('minimum', min), ...whole('maximum', max) }
  const description = descriptionOf(field)
  return Type.Unsafe({
    ...(type === 'enum' && Array.isArray(values) ? { type: 'string', enum: values.map(String) } : base),
    ...(type !== 'json' && type !== 'enum' && bounds),
    // A required text isn't empty.
    ...(field.required && base.type === 'string' && minLength === undefined && type !== 'enum' && { minLength: 1 }),
    ...(label !== undefined && { title: pickText(label, 'en', 'en') }),
    ...(description && { description }),
  })
}

/** In English. */
function descriptionOf({ type, help, currency }: DeclaredInputField): string | undefined {
  if (help !== undefined) return pickText(help as LocalText, 'en', 'en')
  return type === 'money' ? `In the minor unit of ${String(currency)}, such as cents` : undefined
}

/** What the API document says beside the schemas: `x-larder-fields`. */
export const inputExtension = (fields: Readonly<Record<string, DeclaredInputField>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type, currency, to }]) => [
      name,
      {
        type,
        ...(typeof currency === 'string' && { currency }),
        ...(type === 'reference' && { reference: { to: String(to), many: false } }),
      },
    ]),
  )

const whole = (keyword: string, value: unknown): object => (typeof value === 'number' ? { [keyword]: value } : {})
