/** English labels of properties and of their values, made from their names. Pure. */

/** Properties of many modules whose name is not the word of the interface. */
const LABELS: Readonly<Record<string, string>> = {
  assigneeId: 'Assignee',
  correlationId: 'Request ID',
  isPublic: 'Public',
  lastReadSeq: 'Last read message',
  // Messages are numbered from 1, and keep their numbers.
  lastSeq: 'Messages',
  managedBy: 'Origin',
  managed_by: 'Origin',
  meta: 'Metadata',
  mimeType: 'Media type',
  noindex: 'Hide from search engines',
  participantIds: 'Participants',
  planKey: 'Plan',
  seq: 'Number',
  templateKey: 'Template',
  tenantId: 'Workspace',
  ttl_seconds: 'Lifetime',
  userId: 'Person',
  workspace_id: 'Workspace',
}
const ACRONYMS = /\b(api|csv|fps|hls|html|id|ip|mime|seo|ui|url|whep)(s?)\b/g
/** A duration is shown in words. */
const DURATION = / (ms|seconds)$/
const UNITS = / (kbps)$/

/** `filter[status]` → `status`. */
export const innerName = (parameter: string): string => /\[(.+)\]$/.exec(parameter)?.[1] ?? parameter

/** A time says what happened then: `Created`, `Last used`. What is delivered may be goods, too. */
const HAPPENED = /\b(?!delivered)(\w+ed|sent|expires) at$/

/** `createdAt` → `Created`, `filter[event.type]` → `Event type`, `duration_ms` → `Duration`. */
export function labelOf(name: string): string {
  const inner = innerName(name)
  const known = Object.hasOwn(LABELS, inner) ? LABELS[inner] : undefined
  if (known !== undefined) return known
  const words = inner
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()
  const text = words
    .replace(ACRONYMS, (_, word: string, plural: string) => word.toUpperCase() + plural)
    .replace('sha256', 'SHA-256')
    .replace(HAPPENED, '$1')
    .replace(DURATION, '')
    .replace(UNITS, ' ($1)')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Values whose name in the API is not the word of the interface. */
const WORDS: Readonly<Record<string, string>> = { apiKey: 'API key', tenant: 'workspace' }

/** `past_due` → `past due`. In lower case, because the translation of a word by itself can differ from a label's. */
export const wordsOf = (value: string): string =>
  Object.hasOwn(WORDS, value) ? (WORDS[value] as string) : value.replaceAll('_', ' ')
