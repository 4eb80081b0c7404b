import { randomBytes } from 'node:crypto'

const MAX_LENGTH = 48
const MAX_SUFFIXED = 5

/** JSON Schema pattern of a slug. It has no underscore, so it never looks like an id. */
export const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$'

/** `Ädler & Söhne` → `adler-sohne`. Returns `workspace` if no letter or digit is left. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? ['workspace']).join('-').slice(0, MAX_LENGTH).replace(/-+$/, '')
}

/** The slug, then variants with a random suffix, which doesn't reveal how many tenants share the name. */
export function slugCandidates(name: string): string[] {
  const base = slugOf(name)
  const suffixed = Array.from({ length: MAX_SUFFIXED }, () => `${base}-${randomBytes(3).toString('hex')}`)
  return [base, ...suffixed]
}
