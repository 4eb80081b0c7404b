/** Collects ids, keys and other values from responses, so that later requests refer to existing records. */

export interface ValuePool {
  /** Values from fields with this name. */
  valuesOf(name: string): readonly unknown[]
  /** Ids or keys of the records of a collection: `/v1/identity/roles`. */
  records(collection: string): readonly string[]
  collect(body: unknown, path: string): void
  add(name: string, value: string): void
}

/** The pool drops the oldest values above this number. */
const MAX_VALUES_PER_FIELD = 30
const MAX_VALUE_LENGTH = 600

export function createValuePool(): ValuePool {
  const values = new Map<string, string[]>()
  const add = (name: string, value: string) => {
    const list = values.get(name) ?? []
    list.push(value)
    values.set(name, list.slice(-MAX_VALUES_PER_FIELD))
  }
  const read = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) read(item, name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) read(inner, key)
    else if (typeof value === 'string' && value.length < MAX_VALUE_LENGTH) add(name, value)
  }
  const records = (path: string) => values.get(`in ${path}`) ?? []
  return {
    // A field `templateKey` refers to a record of a collection `…/templates`.
    valuesOf(name) {
      const plural = `${name.replace(/(Key|Id)$/, '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}s`
      const collection = [...values.keys()].find(known => known.startsWith('in ') && known.endsWith(`/${plural}`))
      return [...(values.get(name) ?? []), ...(collection && name !== plural ? (values.get(collection) ?? []) : [])]
    },
    records,
    collect(body, path) {
      read(body, '')
      const { data, id, key } = (body ?? {}) as { data?: unknown; id?: unknown; key?: unknown }
      for (const record of Array.isArray(data) ? data : [{ id, key }]) {
        const { id, key } = record as { id?: unknown; key?: unknown }
        const identifier = typeof id === 'string' ? id : key
        if (typeof identifier === 'string') add(`in ${path}`, identifier)
      }
    },
    add,
  }
}
