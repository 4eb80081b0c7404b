/**
 * `{ filter: { status: 'draft' }, sort: ['-createdAt'] }` → `filter[status]=draft&sort=-createdAt`. Undefined values are
 * left out. Lists are joined by commas; the server doesn't split a parameter that is repeated.
 * @internal
 */
export function toQuery(query: object | undefined): string {
  const pairs: string[] = []
  const addText = (name: string, text: string) => pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
  const addList = (name: string, values: readonly string[]): void => {
    const isSplit = values.some(value => /[,"]/.test(value))
    const [first = ''] = values
    if (!isSplit) addText(name, values.join(','))
    else for (const value of values.length === 1 ? [first, first] : values) addText(name, value)
  }
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return
    if (value instanceof Date) addText(name, value.toISOString())
    else if (Array.isArray(value) && value.every(isScalar)) addList(name, value.map(String))
    else if (isScalar(value)) addText(name, String(value))
    else for (const [key, inner] of Object.entries(value as object)) add(name === '' ? key : `${name}[${key}]`, inner)
  }
  if (query) add('', query)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
