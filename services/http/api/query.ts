/** Parses queries. Pure. */
import { composedText } from '@larder-dev/larder/kernel/internal'
import { malformedRequest } from '../problems.ts'

const MAX_QUERY_PARAMETERS = 100
const EMPTY_QUERY: Readonly<Record<string, string | string[]>> = Object.freeze({})

/** `a=1&a=2&b=x` → `{ a: ['1', '2'], b: 'x' }`, in NFC. Throws `malformed` on a bad escape. */
export function parseQuery(search: string): Readonly<Record<string, string | string[]>> {
  if (search === '') return EMPTY_QUERY
  const query: Record<string, string | string[]> = Object.create(null)
  const parts = search.split('&', MAX_QUERY_PARAMETERS + 1)
  if (parts.length > MAX_QUERY_PARAMETERS) throw malformedRequest.too_many_parameters({ limit: MAX_QUERY_PARAMETERS })
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    const before = query[name]
    query[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
  }
  return query
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return composedText(spaced)
  try {
    return composedText(decodeURIComponent(spaced))
  } catch {
    throw malformedRequest.query_not_utf8()
  }
}

/** Pages and sockets take one value per name: the last. */
export function singleValues(search: string): Readonly<Record<string, string>> {
  const pairs = Object.entries(parseQuery(search)).map(([name, value]) => [
    name,
    Array.isArray(value) ? (value.at(-1) ?? '') : value,
  ])
  return Object.fromEntries(pairs)
}
