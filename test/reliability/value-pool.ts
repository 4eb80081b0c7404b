/** Ids, keys and other words of earlier answers, so that later questions speak of what there is. */

export interface Recall {
  /** Words seen in fields of this name. */
  of(name: string): readonly unknown[]
  /** Ids or keys of the records of a collection: `/v1/identity/roles`. */
  records(collection: string): readonly string[]
  learn(body: unknown, path: string): void
  know(name: string, word: string): void
}

/** Words of one name; the oldest go first. */
const REMEMBERED = 30
const LONGEST = 600

export function createRecall(): Recall {
  const words = new Map<string, string[]>()
  const keep = (name: string, word: string) => {
    const list = words.get(name) ?? []
    list.push(word)
    words.set(name, list.slice(-REMEMBERED))
  }
  const read = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) read(item, name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) read(inner, key)
    else if (typeof value === 'string' && value.length < LONGEST) keep(name, value)
  }
  const records = (path: string) => words.get(`in ${path}`) ?? []
  return {
    // A field `templateKey` names a record of some `…/templates`.
    of(name) {
      const plural = `${name.replace(/(Key|Id)$/, '').replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}s`
      const collection = [...words.keys()].find(known => known.startsWith('in ') && known.endsWith(`/${plural}`))
      return [...(words.get(name) ?? []), ...(collection && name !== plural ? (words.get(collection) ?? []) : [])]
    },
    records,
    learn(body, path) {
      read(body, '')
      const { data, id, key } = (body ?? {}) as { data?: unknown; id?: unknown; key?: unknown }
      for (const record of Array.isArray(data) ? data : [{ id, key }]) {
        const { id, key } = record as { id?: unknown; key?: unknown }
        const named = typeof id === 'string' ? id : key
        if (typeof named === 'string') keep(`in ${path}`, named)
      }
    },
    know: keep,
  }
}
