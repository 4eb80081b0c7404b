/** Redirects: exact and wildcard rules, which of them counts, and whether some lead round in a circle. Pure. */
import { canonicalPath } from './paths.ts'

export const REDIRECT_STATUSES = [301, 302, 307, 308, 410] as const
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number]

export interface RedirectRule {
  /** A canonical path; `/old/*` takes `/old` and everything below it. */
  readonly from: string
  /** A path of this site or a whole address; `:splat` at the end of its path is what the `*` stood for. Null: gone. */
  readonly to: string | null
  readonly status: RedirectStatus
}
export interface RedirectMatch<R extends RedirectRule> {
  readonly rule: R
  /** Where to go; null: gone. */
  readonly to: string | null
}

const SPLAT = ':splat'
/** More steps than this are a circle, or a walk that nobody should be sent on. */
const MAX_HOPS = 10

const isWildcard = (from: string): boolean => from.endsWith('/*')
/** `/old/*` → `/old`, `/*` → ''. */
const prefixOf = (from: string): string => from.slice(0, -2)
const isUnder = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)
/** What `*` stands for, without the slash before it. */
const restOf = (path: string, prefix: string): string => path.slice(prefix.length + 1)

/** The form in which `from` is stored; undefined where it is none. */
export function canonicalFrom(text: string): string | undefined {
  const wild = isWildcard(text)
  const plain = wild ? text.slice(0, -1) : text
  if (/[*?#:\s\p{Cc}]/u.test(plain)) return undefined
  const path = canonicalPath(plain)
  if (path === undefined) return undefined
  return wild ? `${path === '/' ? '' : path}/*` : path
}

/** Path and what hangs on it: query and fragment. */
function splitSuffix(to: string): readonly [path: string, suffix: string] {
  const cut = to.search(/[?#]/)
  return cut < 0 ? [to, ''] : [to.slice(0, cut), to.slice(cut)]
}

/**
 * The form in which `to` is stored: addresses at `own`, the product's origin, become paths. Undefined where it is no
 * address, or `:splat` stands anywhere else than at the end of its path, or there is nothing that it could stand for.
 */
export function canonicalTo(text: string, from: string, own: string): string | undefined {
  const localPathSet = text.startsWith(`${own}/`) ? text.slice(own.length) : text
  const [path, suffix] = splitSuffix(localPathSet)
  const bare = path.endsWith(`/${SPLAT}`) ? path.slice(0, -SPLAT.length) : path
  if (`${bare}${suffix}`.includes(SPLAT) || (bare !== path && !isWildcard(from))) return undefined
  if (/[\s\\\p{Cc}]/u.test(localPathSet)) return undefined
  const splat = bare === path ? '' : SPLAT
  if (bare.startsWith('/') && !bare.startsWith('//')) {
    const found = canonicalPath(bare)
    if (found === undefined || found.includes('*')) return undefined
    const slash = splat && found !== '/' ? '/' : ''
    return `${found}${slash}${splat}${suffix}`
  }
  if (!/^https?:\/\//i.test(bare) || !URL.canParse(bare + suffix)) return undefined
  const { username, password, href } = new URL(bare + suffix)
  if (username || password) return undefined
  const [whole] = splitSuffix(href)
  return `${whole}${splat}${href.slice(whole.length)}`
}

/** The other host that a canonical target names, with its port; undefined on this site. */
export const hostOf = (to: string): string | undefined => (to.startsWith('/') ? undefined : new URL(to).host)

/** Where a rule sends what its `*` stands for. Never another host than the one that the rule names. */
function fillTarget(to: string, splat: string): string {
  const [path, suffix] = splitSuffix(to)
  const filled = path.endsWith(SPLAT) ? `${path.slice(0, -SPLAT.length)}${splat}` : path
  return filled.startsWith('/') ? `${canonicalPath(filled) ?? '/'}${suffix}` : new URL(filled).href + suffix
}

export interface RedirectIndex<R extends RedirectRule> {
  /** Exact rules before wildcards, longer wildcards before shorter. `path` is canonical. */
  find(path: string): RedirectMatch<R> | undefined
}

export function indexRedirects<R extends RedirectRule>(rules: readonly R[]): RedirectIndex<R> {
  const exact = new Map(rules.filter(rule => !isWildcard(rule.from)).map(rule => [rule.from, rule]))
  const wild = new Map(rules.filter(rule => isWildcard(rule.from)).map(rule => [prefixOf(rule.from), rule]))
  const matched = (rule: R, splat: string): RedirectMatch<R> => ({ rule, to: rule.to === null ? null : fillTarget(rule.to, splat) })
  return {
    find(path) {
      const same = exact.get(path)
      if (same) return matched(same, '')
      for (let end = path.length; end >= 0; end = path.lastIndexOf('/', end - 1)) {
        const prefix = path.slice(0, end)
        const rule = wild.get(prefix)
        if (rule) {
          const match = matched(rule, restOf(path, prefix))
          // `/* → /closed` sends everybody to /closed, but nobody who is there already.
          return match.to !== null && splitSuffix(match.to)[0] === path ? undefined : match
        }
        if (end === 0) return undefined
      }
      return undefined
    },
  }
}

/** All paths that begin so, or just one. */
interface PathSet {
  readonly path: string
  readonly all: boolean
}

/**
 * Whether somebody who meets `rule` may be sent round for ever, or for more than ten steps. Sets of paths are followed,
 * not single ones. Where a rule takes a part of a set alone, that part is followed by itself: a finite path is narrowed
 * so a finite number of times, so `/blog/*` → `/:splat` is no circle though it takes a bit of what it leads to.
 */
export function createsLoop(rule: RedirectRule, others: readonly RedirectRule[]): boolean {
  if (rule.to !== null && splitSuffix(rule.to)[0] === rule.from) return true
  const rules = [...others, rule]
  const index = indexRedirects(rules)
  const wild = rules.filter(({ from }) => isWildcard(from)).sort((a, b) => b.from.length - a.from.length)
  const wildcard = isWildcard(rule.from)
  const waiting: PathSet[] = [{ path: wildcard ? prefixOf(rule.from) : rule.from, all: wildcard }]
  const seen = new Set<string>()
  const wait = (paths: PathSet | undefined) => {
    const name = paths && `${paths.all} ${paths.path}`
    if (paths && name && !seen.has(name)) waiting.push(paths)
    if (name) seen.add(name)
  }

  function next({ path, all }: PathSet): PathSet | undefined {
    if (!all) return local(index.find(path)?.to ?? null)
    for (const part of rules) if (matchesPart(part, path)) wait(imageOf(part, prefixOr(part.from)))
    const whole = wild.find(({ from }) => isUnder(path, prefixOf(from)))
    return whole && imageOf(whole, path)
  }
  // The list grows while it is walked.
  for (const start of waiting) {
    let here: PathSet | undefined = start
    for (let steps = 0; here; steps++) {
      if (steps > MAX_HOPS) return true
      here = next(here)
    }
  }
  return false
}

const prefixOr = (from: string): string => (isWildcard(from) ? prefixOf(from) : from)
const local = (to: string | null): PathSet | undefined =>
  to?.startsWith('/') ? { path: splitSuffix(to)[0], all: false } : undefined

/** Whether a rule takes some of the paths under `prefix`, but not all. */
function matchesPart({ from }: RedirectRule, prefix: string): boolean {
  const own = prefixOr(from)
  return isUnder(own, prefix) && !(isWildcard(from) && own === prefix)
}

/** Where a rule sends what it takes of the paths under `prefix`, which lies at or under its own. */
function imageOf({ from, to }: RedirectRule, prefix: string): PathSet | undefined {
  if (!to?.startsWith('/')) return undefined
  if (!isWildcard(from) || !splitSuffix(to)[0].endsWith(SPLAT)) return local(to)
  const [target] = splitSuffix(fillTarget(to, restOf(prefix, prefixOf(from))))
  return { path: target === '/' ? '' : target, all: true }
}
