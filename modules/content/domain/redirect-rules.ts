/** Exact and wildcard redirect rules: parsing, matching, and detection of loops. Pure. */
import { parseUrl, type Wording, wording } from '@larder-dev/larder/kernel'
import { canonicalPath } from './paths.ts'

export const REDIRECT_STATUSES = [301, 302, 307, 308, 410] as const
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number]

export interface RedirectRule {
  /** A canonical path. `/old/*` matches `/old` and everything below it. */
  readonly from: string
  /** A path of this site or a URL. `:splat` at the end of its path is what `*` matched. Null for 410. */
  readonly to: string | null
  readonly status: RedirectStatus
}
export interface RedirectMatch<R extends RedirectRule> {
  readonly rule: R
  /** The target; null for 410. */
  readonly to: string | null
}

const SPLAT = ':splat'
/** A longer chain counts as a loop. */
const MAX_HOPS = 10

const isWildcard = (from: string): boolean => from.endsWith('/*')
/** `/old/*` → `/old`, `/*` → ''. */
const prefixOf = (from: string): string => from.slice(0, -2)
const isUnder = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`)
/** What `*` matched, without the slash before it. */
const restOf = (path: string, prefix: string): string => path.slice(prefix.length + 1)

/** The stored form of `from`; undefined if it is invalid. */
export function canonicalFrom(text: string): string | undefined {
  const wild = isWildcard(text)
  const plain = wild ? text.slice(0, -1) : text
  if (/[*?#:\s\p{Cc}]/u.test(plain)) return undefined
  const path = canonicalPath(plain)
  if (path === undefined) return undefined
  return wild ? `${path === '/' ? '' : path}/*` : path
}

/** The path, and the query with the fragment. */
function splitSuffix(to: string): readonly [path: string, suffix: string] {
  const cut = to.search(/[?#]/)
  return cut < 0 ? [to, ''] : [to.slice(0, cut), to.slice(cut)]
}

/**
 * The stored form of `to`: URLs of `ownOrigin`, the product's origin, become paths. Undefined if `to` is invalid, if
 * `:splat` is not at the end of its path, or if `from` has no wildcard for it.
 */
export function canonicalTo(text: string, from: string, ownOrigin: string): string | undefined {
  const localPathSet = text.startsWith(`${ownOrigin}/`) ? text.slice(ownOrigin.length) : text
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
  const url = /^https?:\/\//i.test(bare) ? parseUrl(bare + suffix) : undefined
  if (!url || url.username || url.password) return undefined
  const { href } = url
  const [whole] = splitSuffix(href)
  return `${whole}${splat}${href.slice(whole.length)}`
}

/** The host of a canonical target, with its port; undefined for a path of this site. */
export const hostOf = (to: string): string | undefined => (to.startsWith('/') ? undefined : new URL(to).host)

/** The target with what `*` matched. Never has another host than the rule. */
function fillTarget(to: string, splat: string): string {
  const [path, suffix] = splitSuffix(to)
  const filled = path.endsWith(SPLAT) ? `${path.slice(0, -SPLAT.length)}${splat}` : path
  return filled.startsWith('/') ? `${canonicalPath(filled) ?? '/'}${suffix}` : new URL(filled).href + suffix
}

export interface RedirectIndex<R extends RedirectRule> {
  /** Exact rules precede wildcards, and longer wildcards precede shorter ones. @param path a canonical path. */
  find(path: string): RedirectMatch<R> | undefined
}

export function indexRedirects<R extends RedirectRule>(rules: readonly R[]): RedirectIndex<R> {
  const exact = new Map(rules.filter(rule => !isWildcard(rule.from)).map(rule => [rule.from, rule]))
  const wild = new Map(rules.filter(rule => isWildcard(rule.from)).map(rule => [prefixOf(rule.from), rule]))
  const matched = (rule: R, splat: string): RedirectMatch<R> => ({
    rule,
    to: rule.to === null ? null : fillTarget(rule.to, splat),
  })
  return {
    find(path) {
      const same = exact.get(path)
      if (same) return matched(same, '')
      for (let end = path.length; end >= 0; end = path.lastIndexOf('/', end - 1)) {
        const prefix = path.slice(0, end)
        const rule = wild.get(prefix)
        if (rule) {
          const match = matched(rule, restOf(path, prefix))
          // `/*` → `/closed` doesn't apply to /closed itself.
          return match.to !== null && splitSuffix(match.to)[0] === path ? undefined : match
        }
        if (end === 0) return undefined
      }
      return undefined
    },
  }
}

/** One path, or all paths below it. */
interface PathSet {
  readonly path: string
  readonly all: boolean
}

/**
 * Whether a request that matches `rule` can be redirected forever, or more than `MAX_HOPS` times. Follows sets of paths
 * rather than single paths. A rule that matches only a part of a set is followed separately for that part. A finite path
 * can be narrowed only finitely often, so `/blog/*` → `/:splat` isn't a loop, although it matches some of its targets.
 */
export function createsLoop(rule: RedirectRule, others: readonly RedirectRule[]): boolean {
  if (rule.to !== null && splitSuffix(rule.to)[0] === rule.from) return true
  const rules = [...others, rule]
  const index = indexRedirects(rules)
  const wild = rules.filter(({ from }) => isWildcard(from)).sort((a, b) => b.from.length - a.from.length)
  const wildcard = isWildcard(rule.from)
  const queue: PathSet[] = [{ path: wildcard ? prefixOf(rule.from) : rule.from, all: wildcard }]
  const seen = new Set<string>()
  const enqueue = (paths: PathSet | undefined) => {
    const name = paths && `${paths.all} ${paths.path}`
    if (paths && name && !seen.has(name)) queue.push(paths)
    if (name) seen.add(name)
  }

  function next({ path, all }: PathSet): PathSet | undefined {
    if (!all) return local(index.find(path)?.to ?? null)
    for (const part of rules) if (matchesPart(part, path)) enqueue(imageOf(part, prefixOr(part.from)))
    const whole = wild.find(({ from }) => isUnder(path, prefixOf(from)))
    return whole && imageOf(whole, path)
  }
  // The queue grows during the iteration.
  for (const start of queue) {
    let current: PathSet | undefined = start
    for (let hops = 0; current; hops++) {
      if (hops > MAX_HOPS) return true
      current = next(current)
    }
  }
  return false
}

const prefixOr = (from: string): string => (isWildcard(from) ? prefixOf(from) : from)
const local = (to: string | null): PathSet | undefined =>
  to?.startsWith('/') ? { path: splitSuffix(to)[0], all: false } : undefined

/** Whether a rule matches some of the paths below `prefix`, but not all. */
function matchesPart({ from }: RedirectRule, prefix: string): boolean {
  const own = prefixOr(from)
  return isUnder(own, prefix) && !(isWildcard(from) && own === prefix)
}

/** The targets of a rule for the paths below `prefix`, which is at or below the rule's own prefix. */
function imageOf({ from, to }: RedirectRule, prefix: string): PathSet | undefined {
  if (!to?.startsWith('/')) return undefined
  if (!isWildcard(from) || !splitSuffix(to)[0].endsWith(SPLAT)) return local(to)
  const [target] = splitSuffix(fillTarget(to, restOf(prefix, prefixOf(from))))
  return { path: target === '/' ? '' : target, all: true }
}

export interface RedirectInput {
  readonly from: string
  readonly to?: string | null | undefined
  /** 301 by default. */
  readonly status?: RedirectStatus | undefined
}
export interface RedirectError {
  readonly field: 'from' | 'to'
  readonly code: string
  /** The end of a sentence that begins with the field. */
  readonly detail: Wording
}

/** Returns the rule in its stored form, or the first error. */
export function parseRedirect(
  { from, to, status = 301 }: RedirectInput,
  { ownOrigin, allowHosts }: { readonly ownOrigin: string; readonly allowHosts: readonly string[] },
): { readonly rule: RedirectRule } | { readonly error: RedirectError } {
  const error = (field: RedirectError['field'], code: string, detail: Wording) => ({ error: { field, code, detail } })
  const source = canonicalFrom(from)
  if (source === undefined)
    return error(
      'from',
      'wrong_format',
      wording('must be a path of this site, like /old, or /old/* with all paths below it'),
    )
  if (status === 410)
    return to
      ? error('to', 'not_allowed', wording('must be left out with 410'))
      : { rule: { from: source, to: null, status } }
  if (!to) return error('to', 'required', wording('is required unless the status is 410'))
  const target = canonicalTo(to, source, ownOrigin)
  if (target === undefined)
    return error('to', 'wrong_format', wording('must be a path or a URL; with a wildcard it can end with :splat'))
  const host = hostOf(target)
  if (host !== undefined && !allowHosts.includes(host))
    return error('to', 'host_not_allowed', wording("leads to {host}, which the recipe doesn't allow", { host }))
  return { rule: { from: source, to: target, status } }
}
