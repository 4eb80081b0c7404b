/** English labels of properties, made from their names. Pure. */

/** Properties of many modules whose name is not the word of the interface. */
const LABELS: Readonly<Record<string, string>> = {
  correlationId: 'Request ID',
  isPublic: 'Public',
  lastReadSeq: 'Last read message',
  lastSeq: 'Last message',
  meta: 'Metadata',
  mimeType: 'Media type',
  noindex: 'Hide from search engines',
  planKey: 'Plan',
  seq: 'Number',
  templateKey: 'Template',
  tenantId: 'Workspace ID',
  ttl_seconds: 'Lifetime (seconds)',
}
const ACRONYMS = /\b(api|csv|fps|hls|html|id|ip|mime|seo|ui|url|whep)(s?)\b/g
const UNITS = / (kbps|ms|seconds)$/

/** `createdAt` → `Created at`, `filter[event.type]` → `Event type`, `duration_ms` → `Duration (ms)`. */
export function labelOf(name: string): string {
  const inner = /\[(.+)\]$/.exec(name)?.[1] ?? name
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
    .replace(UNITS, ' ($1)')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
