/** Makes slugs from texts. Pure. */
import { slugOf } from '@larder-dev/larder/kernel/internal'

const DEFAULT_LENGTH = 100

/** The slug of a title, or the fallback if no letter, digit or emoji is left. Null for a title that is missing. */
export function slugFrom(title: unknown, fallback: string, maxLength: number = DEFAULT_LENGTH): string | null {
  if (typeof title !== 'string' || title.trim() === '') return null
  return slugOf(title, maxLength) ?? slugOf(fallback, maxLength) ?? null
}

/** The first of `intro`, `intro-2`, `intro-3`, … that isn't taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>, maxLength: number = DEFAULT_LENGTH): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const candidate = `${slug.slice(0, maxLength - suffix.length).replace(/-+$/, '')}${suffix}`
    if (!taken.has(candidate)) return candidate
  }
}
