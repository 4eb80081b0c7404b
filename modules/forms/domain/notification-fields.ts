/** An entry in words, for a mail. Pure. */
import { isFields } from 'larder/kernel'
import type { Group, Leaf, Node } from './field-model.ts'
import { wordFor } from './resolved-schema.ts'

/** Characters of one value, and of all together: the whole of it stands among the submissions. */
const LONGEST = 5000
const MOST = 20_000

export interface Line {
  readonly label: string
  readonly value: string
}

/** What the form asks for in its own words and order, then what it does not name. */
export function fieldsOf(model: Group, data: unknown): Line[] {
  const known = model.children.flatMap(node => linesOf(node, data, []))
  const names = new Set(model.children.map(({ key }) => key))
  const others = Object.entries(isFields(data) ? data : {}).filter(([key]) => !names.has(key))
  return fitting([...known, ...others.map(([key, value]) => ({ label: cut(key), value: cut(wordFor(value)) }))])
}

function fitting(lines: readonly Line[]): Line[] {
  const fit: Line[] = []
  let length = 0
  for (const line of lines) {
    length += line.label.length + line.value.length
    if (length > MOST) return [...fit, { label: '…', value: 'Shortened. The full response is in the submissions.' }]
    fit.push(line)
  }
  return fit
}

function linesOf(node: Node, data: unknown, above: readonly string[]): Line[] {
  const value = isFields(data) && Object.hasOwn(data, node.key) ? data[node.key] : undefined
  const labels = [...above, node.label]
  if (node.kind === 'group' && isFields(value)) return node.children.flatMap(child => linesOf(child, value, labels))
  if (value === undefined || value === '') return []
  return [{ label: labels.join(' › '), value: cut(textOf(node, value)) }]
}

function textOf(node: Node, value: unknown): string {
  if (node.kind === 'group') return wordFor(value)
  const one = (item: unknown) => labelOf(node, item) ?? wordFor(item)
  return Array.isArray(value) ? value.map(one).join(', ') : one(value)
}

const labelOf = ({ choices }: Leaf, value: unknown): string | undefined =>
  choices.find(choice => JSON.stringify(choice.value) === JSON.stringify(value))?.label

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
