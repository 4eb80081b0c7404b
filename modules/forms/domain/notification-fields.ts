/** Formats an entry for a notification email. Pure. */
import { isRecord } from 'larder/kernel'
import type { Field, FieldGroup, FieldNode } from './field-model.ts'
import { displayValue } from './schema-resolution.ts'

/** Characters of one value, and of all values together. The submission itself has the full text. */
const MAX_VALUE_LENGTH = 5000
const MAX_TOTAL_LENGTH = 20_000

export interface NotificationField {
  readonly label: string
  readonly value: string
}

/** The fields of the form with their labels, in order, then fields that the form doesn't declare. */
export function notificationFields(model: FieldGroup, data: unknown): NotificationField[] {
  const known = model.children.flatMap(node => linesOf(node, data, []))
  const names = new Set(model.children.map(({ key }) => key))
  const others = Object.entries(isRecord(data) ? data : {}).filter(([key]) => !names.has(key))
  return truncateFields([
    ...known,
    ...others.map(([key, value]) => ({ label: truncate(key), value: truncate(displayValue(value)) })),
  ])
}

function truncateFields(lines: readonly NotificationField[]): NotificationField[] {
  const kept: NotificationField[] = []
  let length = 0
  for (const line of lines) {
    length += line.label.length + line.value.length
    if (length > MAX_TOTAL_LENGTH)
      return [...kept, { label: '…', value: 'Shortened. The full response is in the submissions.' }]
    kept.push(line)
  }
  return kept
}

function linesOf(node: FieldNode, data: unknown, above: readonly string[]): NotificationField[] {
  const value = isRecord(data) && Object.hasOwn(data, node.key) ? data[node.key] : undefined
  const labels = [...above, node.label]
  if (node.kind === 'group' && isRecord(value)) return node.children.flatMap(child => linesOf(child, value, labels))
  if (value === undefined || value === '') return []
  return [{ label: labels.join(' › '), value: truncate(textOf(node, value)) }]
}

function textOf(node: FieldNode, value: unknown): string {
  if (node.kind === 'group') return displayValue(value)
  const one = (item: unknown) => labelOf(node, item) ?? displayValue(item)
  return Array.isArray(value) ? value.map(one).join(', ') : one(value)
}

const labelOf = ({ choices }: Field, value: unknown): string | undefined =>
  choices.find(choice => JSON.stringify(choice.value) === JSON.stringify(value))?.label

const truncate = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
