/** Replaces a person's addresses and name in stored JSON. Pure. */
import { likeContaining } from '@larder-dev/larder/kernel/internal'

export interface PersonTexts {
  /** In lower case. */
  readonly emails: readonly string[]
  readonly name: string | null
}

const ERASED = '[erased]'

/**
 * Addresses are replaced in texts that contain them, the name only where it is the whole text: it can also be an
 * ordinary word.
 */
export function createRedactor({ emails, name }: PersonTexts): <T>(value: T) => T {
  // Not inside of a longer address: `ada@b.example` isn't part of `bada@b.example` or `ada@b.example.org`.
  const addresses = emails.map(
    email => new RegExp(`(?<![\\w.+-])${email.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}(?!\\.?[\\w-])`, 'gi'),
  )
  const redactText = (text: string) =>
    text === name ? ERASED : addresses.reduce((left, address) => left.replace(address, ERASED), text)

  function redact(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value)
    if (Array.isArray(value)) return value.map(redact)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, redact(field)]))
  }
  // Strings stay strings and the shape stays the same.
  return <T>(value: T) => redact(value) as T
}

/** Patterns of LIKE for texts in lower case that contain one of the addresses. */
export const patternsOf = (emails: readonly string[]): string[] => emails.map(likeContaining)
