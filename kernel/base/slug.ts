import anyAscii from 'any-ascii'

const MAX_READ = 20_000

/**
 * `Straße & Café` → `strasse-cafe`, `Привет, мир` → `privet-mir`: letters of every script and emoji become ASCII.
 * Undefined if nothing of the text remains.
 */
export function slugOf(text: string, maxLength: number): string | undefined {
  // A slug is made of the beginning.
  const words = transliterated(text.slice(0, MAX_READ))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return words.slice(0, maxLength).replace(/-$/, '') || undefined
}

function transliterated(text: string): string {
  // Signs for soft letters, as in большой, would split words.
  const words = text.normalize('NFC').replace(/[\p{L}\p{M}]+/gu, word => anyAscii(word).replace(/[^\w\s]/g, ''))
  return anyAscii(words)
}
