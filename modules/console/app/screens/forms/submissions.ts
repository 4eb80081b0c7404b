import type { FormTexts } from './texts.ts'

/** An answer as text; empty without one. */
export function answerText(value: unknown, c: FormTexts): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? c.yes : c.no
  if (Array.isArray(value)) return value.map(item => answerText(item, c)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const REASONS = ['honeypot', 'too_fast', 'forged_token', 'no_token', 'duplicate', 'manual'] as const
export const reasonText = (reason: string, c: FormTexts): string => {
  const known = REASONS.find(each => each === reason)
  return known ? c[known] : reason
}

export const submissionPath = ({ formId, id }: { readonly formId: string; readonly id: string }): string =>
  `/v1/forms/${encodeURIComponent(formId)}/submissions/${encodeURIComponent(id)}`
