/** `Ada Lovelace` → `AL`, `ada@example.test` → `A`. */
export function initialsOf(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/u).filter(word => /\p{L}|\p{N}/u.test(word))
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words.slice(0, 1)
  return chosen.map(word => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('') || '?'
}
