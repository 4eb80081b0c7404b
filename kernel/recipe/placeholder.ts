/** A placeholder for any port: every property and every result is another placeholder. */
export function placeholder(): unknown {
  const empty = () => ''
  return new Proxy(() => {}, {
    get: (_, key) => {
      if (key === Symbol.toPrimitive) return empty
      if (key === Symbol.iterator) return () => [][Symbol.iterator]()
      return key === 'then' ? undefined : placeholder()
    },
    apply: placeholder,
    construct: () => placeholder() as object,
  })
}
