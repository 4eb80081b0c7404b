/**
 * `{ filter: { status: 'draft' }, sort: ['-createdAt'] }` → `filter[status]=draft&sort=-createdAt`. Lists are joined by
 * commas. Undefined values are left out.
 * @internal
 */
export function toQuery(query: object | undefined): string {
  const pairs: string[] = []
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return
    if (Array.isArray(value) && value.every(item => typeof item !== 'object' || item === null))
      add(name, value.join(','))
    else if (value instanceof Date) add(name, value.toISOString())
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) add(name === '' ? key : `${name}[${key}]`, inner)
    else pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  }
  add('', query)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
