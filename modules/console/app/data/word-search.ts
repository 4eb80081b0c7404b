/** Searches for whole words, and for beginnings of words. */
import type { Row } from './resources.ts'

interface Found {
  readonly data: readonly Row[]
  readonly nextCursor?: string | null
}

/**
 * Rows with these words, and then those with a word that begins with the last one, as while it is being typed.
 * @param find requests a page of rows for the parameter `q`.
 */
export async function findByWords(
  find: (words: string) => Promise<Found>,
  words: string,
  keyOf: (row: Row) => string,
): Promise<Found> {
  const exact = await find(words)
  if (exact.nextCursor || !/[\p{L}\p{N}]$/u.test(words)) return exact
  const beginning = await find(`${words}*`)
  const known = new Set(exact.data.map(keyOf))
  return { ...beginning, data: [...exact.data, ...beginning.data.filter(row => !known.has(keyOf(row)))] }
}
