/** Module hooks of a group: each test file imports its own `test` in place of AVA's, which supports one file per process. */
import type { ResolveHook } from 'node:module'

export const resolve: ResolveHook = (specifier, context, next) => {
  const { parentURL } = context
  if (specifier !== 'ava' || !parentURL?.endsWith('.test.js')) return next(specifier, context)
  const { href } = new URL(`./ava.js?file=${encodeURIComponent(parentURL)}`, import.meta.url)
  return { url: href, shortCircuit: true }
}
