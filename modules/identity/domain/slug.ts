import { randomBytes } from 'node:crypto'

const MAX_LENGTH = 48

/** JSON Schema pattern of a slug: it never looks like an id, which has an underscore. */
export const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$'

/** A name as a part of an address: `Ädler & Söhne` → `adler-sohne`; `workspace` where nothing is left of it. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? ['workspace']).join('-').slice(0, MAX_LENGTH).replace(/-+$/, '')
}

/** What to try in turn: the slug, then with a short random tail, so that a taken name says nothing of how often. */
export function* slugCandidates(name: string): Generator<string> {
  const base = slugOf(name)
  yield base
  for (let tries = 0; tries < 5; tries++) yield `${base}-${randomBytes(3).toString('hex')}`
}
