/** `$row.title` and `{{row.title}}`: values of a run in the input of a step. Pure. */

/** What a run offers, by its first word. */
export const ROOTS = ['event', 'row', 'previous', 'input', 'steps', 'item', 'workspace', 'product'] as const
export type Root = (typeof ROOTS)[number]
export type Path = readonly string[]

const VALUE = /^\$([a-zA-Z][\w]*(?:\.[\w-]+)*)$/
const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g
const PATH = /^[a-zA-Z]\w*(\.[\w-]+)*$/

export type Expression =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'value'; readonly path: Path }
  | { readonly kind: 'text'; readonly parts: readonly (string | Path)[] }
  /** A placeholder that is no path. */
  | { readonly kind: 'invalid'; readonly found: string }

/** `$$` stands for `$` at the start of a text. */
export function parseExpression(text: string): Expression {
  const [, whole] = VALUE.exec(text) ?? []
  if (whole !== undefined) return { kind: 'value', path: whole.split('.') }
  const plain = text.startsWith('$$') ? text.slice(1) : text
  if (!plain.includes('{{')) return { kind: 'literal', text: plain }
  const parts: (string | Path)[] = []
  let end = 0
  for (const { 0: found, 1: path = '', index } of plain.matchAll(PLACEHOLDER)) {
    if (!PATH.test(path)) return { kind: 'invalid', found }
    parts.push(plain.slice(end, index), path.split('.'))
    end = index + found.length
  }
  const rest = plain.slice(end)
  if (rest.includes('{{')) return { kind: 'invalid', found: rest.slice(rest.indexOf('{{')) }
  return { kind: 'text', parts: [...parts, rest] }
}

/** Every path in a value of a recipe. */
export function pathsIn(value: unknown): Path[] {
  if (typeof value === 'string') {
    const expression = parseExpression(value)
    if (expression.kind === 'value') return [expression.path]
    return expression.kind === 'text' ? expression.parts.filter(part => typeof part !== 'string') : []
  }
  if (Array.isArray(value)) return value.flatMap(pathsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : []
}
