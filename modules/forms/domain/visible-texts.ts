/** Required texts of an entry need a visible character, and addresses lose the spaces around them. Pure. */
import { isRecord } from '@larder-dev/larder/kernel'
import { cleanAddress, VISIBLE_KEYWORD } from '@larder-dev/larder/kernel/internal'
import { type Json, resolveReference } from './schema-traversal.ts'

/** References that are followed at one value. A schema without errors has no cycles. */
const MAX_HOPS = 20

/** The schema with the keyword that refuses invisible texts, wherever it requires a text. Literals stay as they are. */
export function withVisibleTexts(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withVisibleTexts)
  if (!isRecord(node)) return node
  const made: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) made[key] = LITERALS.has(key) ? value : withVisibleTexts(value)
  if (typeof node.minLength === 'number' && node.minLength > 0) made[VISIBLE_KEYWORD] = true
  const { properties } = made
  if (!Array.isArray(node.required) || !isRecord(properties)) return made
  const required = new Set<unknown>(node.required)
  made.properties = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, required.has(name) ? visible(part) : part]),
  )
  return made
}
const LITERALS: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required'])

const visible = (part: unknown): unknown =>
  isRecord(part) && part.const === undefined && part.enum === undefined ? { ...part, [VISIBLE_KEYWORD]: true } : part

/** The entry with the addresses of its email fields as they are meant. */
export function withCleanAddresses(root: Json, value: unknown, schema: Json = root, hops = 0): unknown {
  const target = typeof schema.$ref === 'string' && hops < MAX_HOPS ? resolveReference(root, schema.$ref) : undefined
  const known = target ? withCleanAddresses(root, value, target.schema, hops + 1) : value
  const parts = Array.isArray(schema.allOf) && hops < MAX_HOPS ? schema.allOf.filter(isRecord) : []
  const whole = parts.reduce<unknown>((cleaned, part) => withCleanAddresses(root, cleaned, part, hops + 1), known)
  if (typeof whole === 'string') return ADDRESSES.has(schema.format) ? cleanAddress(whole) : whole
  const { items, properties } = schema
  if (Array.isArray(whole)) return isRecord(items) ? whole.map(item => withCleanAddresses(root, item, items)) : whole
  if (!isRecord(whole) || !isRecord(properties)) return whole
  const cleaned = Object.entries(whole).map(([name, inner]) => {
    const part = Object.hasOwn(properties, name) ? properties[name] : undefined
    return [name, isRecord(part) ? withCleanAddresses(root, inner, part) : inner]
  })
  return Object.fromEntries(cleaned)
}
const ADDRESSES: ReadonlySet<unknown> = new Set(['email', 'idn-email'])
