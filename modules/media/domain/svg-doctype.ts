/** Reads the document type of an SVG, in which editors name namespaces. */

const MAX_DECLARATIONS = 1000
/** Linear: no two neighboring parts match the same spaces. */
const DECLARATION = /<!(ENTITY|ELEMENT|ATTLIST)\s([^<>"'%&]*)(?:(["'])([^<&%"']*)\3\s*)?>|<!--(?:(?!--)[^<>])*-->|\s+/y
/** Names of namespaces. Others mean something else in an HTML document, or can't be declared anew, such as `quot`. */
const NAME = /^(?:ns_\w+|svg|xlink)$/

/**
 * Returns the entities. Undefined if the document type declares anything that could change what a browser reads: external
 * or nested entities, or attributes with default values. Browsers don't load the named external document type.
 */
export function readDoctype(text: string): Readonly<Record<string, string>> | undefined {
  const start = text.indexOf('[')
  if (start < 0) return {}
  const end = text.lastIndexOf(']')
  if (/[<>]/.test(text.slice(0, start)) || end < start || text.slice(end + 1).trim() !== '') return undefined
  const subset = text.slice(start + 1, end)
  const entities: Record<string, string> = {}
  DECLARATION.lastIndex = 0
  for (let count = 0; DECLARATION.lastIndex < subset.length; count++) {
    const [, kind, words = '', , value] = DECLARATION.exec(subset) ?? []
    if (count > MAX_DECLARATIONS || DECLARATION.lastIndex === 0) return undefined
    if (kind === 'ENTITY') {
      const name = words.trim()
      if (value === undefined || !NAME.test(name)) return undefined
      entities[name] ??= value
    } else if (value !== undefined) return undefined
  }
  return entities
}
