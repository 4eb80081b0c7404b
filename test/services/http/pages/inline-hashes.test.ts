import { createHash } from 'node:crypto'
import test from 'ava'
import { pagePolicy } from '../../../../services/http/headers.ts'
import { replaceNonce } from '../../../../services/http/pages/inline-hashes.ts'

const nonce = 'ab+/cdefghijklmnopqrst=='
const replaced = (html: string) =>
  replaceNonce({ html, nonce, headers: { 'content-security-policy': pagePolicy(nonce), vary: 'cookie' } })
const hash = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

test('replaces the nonce of inline elements by hashes in the policy', t => {
  const { html, headers } = replaced(
    `<style nonce="${nonce}">a</style><script type="module" nonce="ab+/cdefghijklmnopqrst&#x3D;&#x3D;" data-a>b</script>` +
      `<SCRIPT nonce="${nonce}">b</SCRIPT>`,
  ) as { html: string; headers: Record<string, string> }
  t.is(html, '<style>a</style><script type="module" data-a>b</script><SCRIPT>b</SCRIPT>')
  const policy = headers['content-security-policy'] ?? ''
  t.true(policy.includes(`script-src 'self' ${hash('b')};`))
  t.true(policy.includes(`style-src 'self' ${hash('a')};`))
  t.false(policy.includes('nonce'))
  t.is(headers.vary, 'cookie')
})

test('trusts no element without the nonce', t => {
  const { html, headers } = replaced('<script>x</script><script nonce="other">y</script>') as {
    html: string
    headers: Record<string, string>
  }
  t.is(html, '<script>x</script><script nonce="other">y</script>')
  t.true(headers['content-security-policy']?.includes("script-src 'self';"))
})

test('refuses pages that use the nonce for something else', t => {
  for (const html of [
    `<script nonce="${nonce}" src="https://cdn.test/a.js"></script>`,
    `<link rel="stylesheet" href="https://cdn.test/a.css" nonce="${nonce}">`,
    `<script nonce="${nonce}">load('${nonce}')</script>`,
    `<script nonce="${nonce}">never closed`,
  ])
    t.is(replaced(html), undefined, html)
})
