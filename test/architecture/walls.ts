/** The walls of the house, as a pure look at source texts: path from the package's root → text. */
import { dirname, join } from 'node:path/posix'

export type Sources = ReadonlyMap<string, string>
export interface Import {
  readonly from: string
  readonly to: string
  /** Erased by the compiler: nothing is loaded at run time. */
  readonly typeOnly: boolean
}

const LONGEST_FILE = 250
const STATEMENT = /^[ \t]*(import|export)\b(?:[ \t]+(type)\b)?(?:[^'";]*?\bfrom)?[ \t\n]*['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\([ \t\n]*['"]([^'"]+)['"]/g

export function importsOf(path: string, text: string): Import[] {
  const target = (name: string) => (name.startsWith('.') ? join(dirname(path), name) : name)
  return [
    ...[...text.matchAll(STATEMENT)].map(([, , type, name]) => ({
      from: path,
      to: target(name as string),
      typeOnly: type === 'type',
    })),
    ...[...text.matchAll(DYNAMIC)].map(([, name]) => ({ from: path, to: target(name as string), typeOnly: false })),
  ]
}

const everyImport = (sources: Sources): Import[] => [...sources].flatMap(([path, text]) => importsOf(path, text))
const inside = (path: string) => /^(kernel|modules|bin|test|bench)\//.test(path)

/** Imports that go through a wall, as sentences. */
export function trespasses(sources: Sources): string[] {
  return everyImport(sources)
    .filter(({ to }) => inside(to))
    .filter(({ from, to }) => !allowed(from, to))
    .map(({ from, to }) => `${from} imports ${to}`)
}

function allowed(from: string, to: string): boolean {
  const [top, own] = from.split('/')
  if (top === 'kernel') return to.startsWith('kernel/')
  if (top === 'modules') return to.startsWith('kernel/') || to.startsWith(`modules/${own}/`)
  if (top === 'bin') return to.startsWith('kernel/') || to.startsWith('bin/')
  return true
}

/** Rings of files that load each other, one sentence a ring. */
export function circles(sources: Sources): string[] {
  const loads = new Map<string, string[]>()
  for (const { from, to, typeOnly } of everyImport(sources))
    if (!typeOnly && sources.has(to)) loads.set(from, [...(loads.get(from) ?? []), to])
  const rings = new Map<string, string>()
  const done = new Set<string>()
  const visit = (path: string, open: readonly string[]): void => {
    const start = open.indexOf(path)
    if (start >= 0) {
      const ring = open.slice(start)
      rings.set([...ring].sort().join(), [...ring, path].join(' → '))
      return
    }
    if (done.has(path)) return
    for (const next of loads.get(path) ?? []) visit(next, [...open, path])
    done.add(path)
  }
  for (const path of sources.keys()) visit(path, [])
  return [...rings.values()]
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')

/** Files that only pass on what others export, except the contract, which is the kernel's public face. */
export function barrels(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const code = withoutComments(text).trim()
    const rest = code.replace(/^(export|import)\b[^'"]*['"][^'"]+['"];?$/gm, '').trim()
    return code.includes('export') && rest === '' ? [`${path} only passes on what others export`] : []
  })
}

export function tooLong(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const lines = text.trimEnd().split('\n').length
    return lines > LONGEST_FILE ? [`${path} has ${lines} lines: it is two things`] : []
  })
}

/** Words that hide a mistake from the compiler, or work from the reader. */
export function excuses(sources: Sources): string[] {
  const words = /@ts-(ignore|expect-error|nocheck)|\b(TODO|FIXME|XXX)\b/
  const code = /(:|<|\bas) *any\b|catch *(\([^)]*\))? *\{\s*\}/
  const logs = /console\.log/
  const comment = /^\s*(\*|\/\*|\/\/)/
  return [...sources].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const bad =
        words.test(line) || (!comment.test(line) && (code.test(line) || (logs.test(line) && !path.startsWith('bin/'))))
      return bad ? [`${path}:${index + 1} ${line.trim()}`] : []
    }),
  )
}

/**
 * Files that open more connections to PostgreSQL than they listen for errors of. A server that ends one, as at every
 * restart, ends the whole process with it where nobody listens: an idle one emits `error`.
 */
export function unheard(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const code = withoutComments(text)
    const opened = code.match(/\bnew (?:pg\.)?(?:Client|Pool)\(/g)?.length ?? 0
    const heard = code.match(/\.on\('error'/g)?.length ?? 0
    return opened > heard ? [`${path} opens ${opened} connections and listens for errors of ${heard}`] : []
  })
}

/** Every unit of work across tenants: file → the reasons it gives, in order; one that cannot be read here is `?`. */
export function systemPlaces(sources: Sources): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [path, text] of sources) {
    const code = withoutComments(text)
    const calls = code.matchAll(
      /\.(?:system|systemTransaction)(?:<[^(]*>)?\(\s*(?:(['"`])((?:(?!\1).)*)\1|([A-Z_]+))?/g,
    )
    const reasons = [...calls].map(([, , why, name]) => why ?? constant(code, name) ?? '?')
    if (reasons.length > 0) found.set(path, [...new Set(reasons)])
  }
  return found
}

const constant = (code: string, name: string | undefined): string | undefined =>
  name && new RegExp(`const ${name} = (['"\`])(.*?)\\1`).exec(code)?.[2]
