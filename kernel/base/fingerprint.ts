import { createHash } from 'node:crypto'
import { byCodeUnits } from './compare.ts'

/** A hash that does not depend on the order of keys, because jsonb does not preserve it. */
export const fingerprint = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('base64url')

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => byCodeUnits(a, b))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
