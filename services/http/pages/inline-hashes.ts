/**
 * Prepares a page for being sent more than once. A nonce may not be used twice, so the policy lists hashes of the inline
 * scripts and styles instead (Content Security Policy Level 3, section 8.3).
 */
import { createHash } from 'node:crypto'

const POLICY = 'content-security-policy'

export interface WithNonce<Headers> {
  readonly html: string
  readonly headers: Headers
  readonly nonce: string
}

/** Returns undefined if the page uses the nonce elsewhere, for example in a script of another origin. */
export function replaceNonce<Headers extends Readonly<Record<string, string | readonly string[]>>>({
  html,
  headers,
  nonce,
}: WithNonce<Headers>): Omit<WithNonce<Headers>, 'nonce'> | undefined {
  // Templates may escape the padding.
  const token = nonce.replace(/=+$/, '')
  const hashes: Record<string, string[]> = { script: [], style: [] }
  const inline = new RegExp(
    `<(script|style)\\b([^>]*?)\\s+nonce="${escapeRegExp(token)}[^"]*"([^>]*)>([^]*?)</\\1\\s*>`,
    'gi',
  )
  const replaced = html.replace(inline, (element, name: string, before: string, after: string, content: string) => {
    if (/\ssrc\s*=/i.test(before + after)) return element
    hashes[name.toLowerCase()]?.push(`'sha256-${createHash('sha256').update(content).digest('base64')}'`)
    return `<${name}${before}${after}>${content}</${name}>`
  })
  if (replaced.includes(token)) return undefined
  const policy = String(headers[POLICY]).replaceAll(/\b(script|style)-src [^;]*/g, (directive, name: string) =>
    directive.replace(` 'nonce-${nonce}'`, [...new Set(hashes[name])].map(hash => ` ${hash}`).join('')),
  )
  return { html: replaced, headers: { ...headers, [POLICY]: policy } }
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
