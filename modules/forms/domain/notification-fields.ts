/** Formats an entry for a notification email. Pure. */
import { isRecord } from '@larder-dev/larder/kernel'
import type { Field, FieldGroup, FieldNode } from './field-model.ts'
import { displayValue, type ValueTexts } from './schema-resolution.ts'

/** Characters of one value, and of all values together. The submission itself has the full text. */
const MAX_VALUE_LENGTH = 5000
const MAX_TOTAL_LENGTH = 20_000

export interface NotificationField {
  readonly label: string
  readonly value: string
}

export interface NotificationContent {
  /** With their labels, in the order of the form, then fields that the form doesn't declare. */
  readonly fields: readonly NotificationField[]
  /** True if fields are missing. */
  readonly shortened: boolean
}

export function notificationContent(model: FieldGroup, data: unknown, texts: ValueTexts): NotificationContent {
  const known = model.children.flatMap(node => linesOf(node, data, [], texts))
  const names = new Set(model.children.map(({ key }) => key))
  const others = Object.entries(isRecord(data) ? data : {}).filter(([key]) => !names.has(key))
  return truncateFields([
    ...known,
    ...others.map(([key, value]) => ({ label: truncate(key), value: truncate(displayValue(value, texts)) })),
  ])
}

function truncateFields(lines: readonly NotificationField[]): NotificationContent {
  const fields: NotificationField[] = []
  let length = 0
  for (const line of lines) {
    length += line.label.length + line.value.length
    if (length > MAX_TOTAL_LENGTH) return { fields, shortened: true }
    fields.push(line)
  }
  return { fields, shortened: false }
}

function linesOf(node: FieldNode, data: unknown, above: readonly string[], texts: ValueTexts): NotificationField[] {
  const value = isRecord(data) && Object.hasOwn(data, node.key) ? data[node.key] : undefined
  const labels = [...above, node.label]
  if (node.kind === 'group' && isRecord(value))
    return node.children.flatMap(child => linesOf(child, value, labels, texts))
  if (value === undefined || value === '') return []
  return [{ label: labels.join(' › '), value: truncate(textOf(node, value, texts)) }]
}

function textOf(node: FieldNode, value: unknown, texts: ValueTexts): string {
  if (node.kind === 'group') return displayValue(value, texts)
  const one = (item: unknown) => {
    const label = labelOf(node, item)
    // The labels of fields without titled choices are English.
    return label === undefined || label === displayValue(item) ? displayValue(item, texts) : label
  }
  return Array.isArray(value) ? value.map(one).join(', ') : one(value)
}

const labelOf = ({ choices }: Field, value: unknown): string | undefined =>
  choices.find(choice => JSON.stringify(choice.value) === JSON.stringify(value))?.label

const truncate = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
