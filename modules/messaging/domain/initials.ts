/** The initials of a name or an email address: `Ada King Lovelace` → `AL`, `ada@example.test` → `A`. Pure. */
export function initialsOf(nameOrEmail: string): string {
  const [name = ''] = nameOrEmail.split('@')
  const letters = name.split(/[\s._-]+/u).flatMap(word => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return letters.length > 1
    ? `${letters[0]}${letters.at(-1)}`.toLocaleUpperCase()
    : (letters[0] ?? '?').toLocaleUpperCase()
}
