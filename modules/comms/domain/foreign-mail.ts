/**
 * Mail to an address that nobody has confirmed: a stranger wrote it into a form, a hook or a guest's row, together with
 * texts that the mail may contain. Pure.
 */
import { linksIn } from './product-mail-policy.ts'

/** Stands for what looks like a link. */
const REMOVED = '…'
const OWN_REST = /^[\w\-./?=&%#~]*$/

/** @param allowed words, such as the address of the recipient. @param site the public URL of the product. */
export function withoutLinks<T>(value: T, allowed: readonly string[], site: string): T {
  const isOwn = (word: string) =>
    word.startsWith(site) && /^([/?#]|$)/.test(word.slice(site.length)) && OWN_REST.test(word.slice(site.length))
  const isAllowed = (word: string) => allowed.includes(word) || isOwn(word)
  const clean = (text: string) =>
    text.replace(/\S+/g, chunk => (linksIn(chunk).every(isAllowed) && !chunk.includes('&#') ? chunk : REMOVED))
  const visit = (inner: unknown): unknown => {
    if (typeof inner === 'string') return clean(inner)
    if (Array.isArray(inner)) return inner.map(visit)
    if (typeof inner !== 'object' || inner === null) return inner
    return Object.fromEntries(Object.entries(inner).map(([key, entry]) => [key, visit(entry)]))
  }
  return visit(value) as T
}
