/** Opens a resource per key once; a resource that fails to open is opened again on the next use. */
export function createResourceCache<T>(): (key: string, open: () => Promise<T>) => Promise<T> {
  const opened = new Map<string, Promise<T>>()
  return (key, open) => {
    const known = opened.get(key)
    if (known) return known
    const resource = open()
    opened.set(key, resource)
    resource.catch(() => opened.delete(key))
    return resource
  }
}
