import { randomBytes } from 'node:crypto'
import { slugOf as asciiSlug } from '@larder-dev/larder/kernel/internal'

const MAX_LENGTH = 48
const MAX_SUFFIXED = 5

/** JSON Schema pattern of a slug. It has no underscore, so it never looks like an id. */
export const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$'

/** `Ädler & Söhne` → `adler-sohne`. Returns `workspace` if no letter or digit is left. */
export const slugOf = (name: string): string => asciiSlug(name, MAX_LENGTH) ?? 'workspace'

/** The slug, then variants with a random suffix, which doesn't reveal how many tenants share the name. */
export function slugCandidates(name: string): string[] {
  const base = slugOf(name)
  const suffixed = Array.from({ length: MAX_SUFFIXED }, () => `${base}-${randomBytes(3).toString('hex')}`)
  return [base, ...suffixed]
}
