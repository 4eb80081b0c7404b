/**
 * Statements in the sources of services and modules, and those of them that don't name their workspace: docs/scale.md.
 * Statements of records (`table(…)`, lists) name the columns of their table and aren't texts.
 */
import type { Sources } from './imports.ts'

export interface Statement {
  readonly path: string
  /** One line; `…` stands for what is put in when it runs. */
  readonly text: string
  /** Tables of Larder that it names. */
  readonly tables: readonly string[]
}

const BEGINS = /^\s*(?:select|insert\s+into|update|delete\s+from|with|merge|lock\s+table|copy|truncate)\b/i

/** Texts that begin as a statement does, and name one of `tables`. */
export function statementsIn(sources: Sources, tables: ReadonlySet<string>): Statement[] {
  return [...sources].flatMap(([path, source]) =>
    literals(source).flatMap(literal => {
      if (!BEGINS.test(literal)) return []
      const text = literal.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim()
      const named = [...new Set(text.match(/\b[a-z][a-z0-9_]*\b/g))].filter(name => tables.has(name)).sort()
      return named.length > 0 ? [{ path, text, tables: named }] : []
    }),
  )
}

export const namesWorkspace = ({ text }: Statement): boolean => /\btenant_id\b|\btenantId\b/.test(text)

/**
 * @param starts beginnings of statements without a workspace, by path and reason
 * @returns how many are listed, those that aren't, and beginnings without a statement
 */
export function compareStatements(
  statements: readonly Statement[],
  starts: Readonly<Record<string, Readonly<Partial<Record<string, readonly string[]>>>>>,
): { readonly listed: number; readonly missing: string[]; readonly stale: string[] } {
  const unnamed = statements.filter(each => !namesWorkspace(each))
  const startsOf = (path: string) => Object.values(starts[path] ?? {}).flatMap(list => list ?? [])
  const missing = unnamed.filter(({ path, text }) => !startsOf(path).some(start => text.startsWith(start)))
  const stale = Object.keys(starts).flatMap(path =>
    startsOf(path)
      .filter(start => !unnamed.some(each => each.path === path && each.text.startsWith(start)))
      .map(start => `${path}: ${start}`),
  )
  return {
    listed: unnamed.length - missing.length,
    missing: missing.map(({ path, text }) => `${path}: ${text.slice(0, 100)}`),
    stale,
  }
}

/** What may stand before a `/` that begins a regular expression. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+\n>]|\breturn|\btypeof|\bcase)\s*$/

/** Texts in quotes and templates of a TypeScript source, outside of comments and regular expressions. */
export function literals(source: string): string[] {
  const found: string[] = []
  /** Reads code until the brace that ends it; returns the position behind. */
  function code(from: number): number {
    let depth = 0
    let at = from
    while (at < source.length) {
      const character = source[at] ?? ''
      if (source.startsWith('//', at)) at = endOf('\n', at)
      else if (source.startsWith('/*', at)) at = endOf('*/', at)
      else if (character === "'" || character === '"') at = quoted(at)
      else if (character === '`') at = template(at)
      else if (character === '/' && BEFORE_PATTERN.test(source.slice(Math.max(0, at - 12), at))) at = pattern(at)
      else {
        if (character === '{') depth++
        if (character === '}' && depth-- === 0) return at + 1
        at++
      }
    }
    return at
  }
  const endOf = (end: string, from: number): number => {
    const at = source.indexOf(end, from + 2)
    return at < 0 ? source.length : at + end.length
  }
  function quoted(from: number): number {
    const quote = source[from]
    let at = from + 1
    while (at < source.length && source[at] !== quote && source[at] !== '\n') at += source[at] === '\\' ? 2 : 1
    found.push(source.slice(from + 1, at))
    return at + 1
  }
  function template(from: number): number {
    let text = ''
    let at = from + 1
    const place = found.push('') - 1
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        const end = code(at + 2)
        // A name says what is put in.
        text += `…${/^\w+$/.exec(source.slice(at + 2, end - 1))?.[0] ?? ''}`
        at = end
      } else if (source[at] === '\\') {
        text += source.slice(at, at + 2)
        at += 2
      } else text += source[at++]
    }
    found[place] = text
    return at + 1
  }
  function pattern(from: number): number {
    let inClass = false
    let at = from + 1
    while (at < source.length && source[at] !== '\n' && (inClass || source[at] !== '/')) {
      if (source[at] === '[') inClass = true
      if (source[at] === ']') inClass = false
      at += source[at] === '\\' ? 2 : 1
    }
    return at + 1
  }
  code(0)
  return found
}
