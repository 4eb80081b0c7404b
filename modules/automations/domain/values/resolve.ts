/** The values of a run in place of their expressions. Pure. */
import { type Path, parseExpression } from './expression.ts'

/** What a run offers, by root. */
export type Offer = Readonly<Record<string, unknown>>
type Schema = Readonly<Record<string, unknown>>
type Encode = (text: string) => string

/** The value at a path; null where there is none. */
export function valueAt(offer: Offer, path: Path): unknown {
  let value: unknown = offer
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null
    value = (value as Readonly<Record<string, unknown>>)[step]
  }
  return value ?? null
}

/** @param schema of the value: texts are encoded for their place. */
export function resolve(value: unknown, offer: Offer, schema: Schema = {}): unknown {
  if (typeof value === 'string') return resolveText(value, offer, encoderOf(schema))
  if (Array.isArray(value)) return value.map(item => resolve(item, offer, (schema.items ?? {}) as Schema))
  if (typeof value !== 'object' || value === null) return value
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>
  const others = otherProperties(schema)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      resolve(inner, offer, Object.hasOwn(properties, name) ? properties[name] : others),
    ]),
  )
}

export function resolveText(text: string, offer: Offer, encode: Encode = plain): unknown {
  const expression = parseExpression(text)
  if (expression.kind === 'value') return valueAt(offer, expression.path)
  if (expression.kind === 'invalid') return text
  if (expression.kind === 'literal') return expression.text
  return expression.parts.map(part => (typeof part === 'string' ? part : encode(textOf(valueAt(offer, part))))).join('')
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function otherProperties({ additionalProperties, patternProperties }: Schema): Schema {
  if (typeof additionalProperties === 'object' && additionalProperties !== null) return additionalProperties as Schema
  const [pattern] = Object.values((patternProperties ?? {}) as Readonly<Record<string, Schema>>)
  return pattern ?? {}
}

const plain: Encode = text => text
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A URL, JSON and HTML are texts in which a value must not become syntax. */
function encoderOf({ format, contentMediaType }: Schema): Encode {
  if (format === 'uri' || format === 'uri-reference') return encodeURIComponent
  if (contentMediaType === 'application/json') return text => JSON.stringify(text).slice(1, -1)
  if (contentMediaType === 'text/html') return text => text.replaceAll(/[&<>"']/g, sign => HTML[sign] ?? sign)
  return plain
}
