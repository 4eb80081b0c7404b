/** From the fields of a posted page to an entry, and back to what the fields show. Pure. */
import { Problem, parseJson } from 'larder/kernel'
import type { Group, Leaf, Node } from './field-model.ts'

/** Name → text, as a browser posts it. */
export type Fields = Readonly<Record<string, string>>

/** Boxes have a name each: of two fields with one name only the last would come. */
export const boxName = (leaf: Leaf, index: number): string => `${index}:${leaf.pointer}`

/** What was left empty is not in it; a box that is not ticked is false. */
export const entryOf = (model: Group, posted: Fields): Record<string, unknown> => groupValue(model, posted).value

function groupValue(group: Group, posted: Fields): { value: Record<string, unknown>; given: boolean } {
  let given = group.required
  const entries = group.children.flatMap((node): [string, unknown][] => {
    if (node.kind === 'group') {
      const inner = groupValue(node, posted)
      given ||= inner.given
      return inner.given ? [[node.key, inner.value]] : []
    }
    const value = leafValue(node, posted)
    // A box that nobody touched does not make a group.
    given ||= value !== undefined && value !== false
    return value === undefined ? [] : [[node.key, value]]
  })
  return { value: Object.fromEntries(entries), given }
}

function leafValue(leaf: Leaf, posted: Fields): unknown {
  if (leaf.reading === 'boolean') return posted[leaf.pointer] !== undefined
  if (leaf.reading === 'choices') {
    const ticked = leaf.choices.filter((_, index) => posted[boxName(leaf, index)] !== undefined)
    return ticked.length > 0 || leaf.required ? ticked.map(({ value }) => value) : undefined
  }
  const text = (posted[leaf.pointer] ?? '').replaceAll('\r\n', '\n')
  return text.trim() === '' ? undefined : read(leaf, text)
}

/** Text that is not what it should be stays text: the schema then says what is wrong with it. */
function read({ reading, widget, type, choices }: Leaf, text: string): unknown {
  switch (reading) {
    case 'number':
      return /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?\s*$/i.test(text) ? Number(text) : text
    case 'choice':
      return /^\d{1,5}$/.test(text) && choices[Number(text)] ? choices[Number(text)]?.value : text
    case 'lines':
      return text
        .split('\n')
        .map(line => line.trim())
        .filter(Boolean)
    case 'json':
      return parsed(text)
    case 'date-time':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? `${text}${text.length === 16 ? ':00' : ''}Z` : text
    case 'time':
      return /^\d\d:\d\d(:\d\d)?$/.test(text) ? `${text}${text.length === 5 ? ':00' : ''}Z` : text
    default:
      return widget === 'input' && type !== 'text' ? text.trim() : text
  }
}

/** Held to what any JSON from strangers is. */
function parsed(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch (error) {
    if (!Problem.is(error)) throw error
    return text
  }
}

/** What a page shows before anybody typed: the defaults of the schema. */
export function defaultsOf(node: Node): Record<string, string> {
  if (node.kind === 'group') return Object.assign({}, ...node.children.map(defaultsOf))
  const { initial, reading, choices, pointer } = node
  if (initial === undefined || initial === null) return {}
  const isChosen = (value: unknown) => JSON.stringify(value) === JSON.stringify(initial)
  if (reading === 'boolean') return initial === true ? { [pointer]: 'true' } : {}
  if (reading === 'choice') {
    const index = choices.findIndex(({ value }) => isChosen(value))
    return index < 0 ? {} : { [pointer]: String(index) }
  }
  if (reading === 'choices') {
    const wanted = Array.isArray(initial) ? initial : []
    const ticked = choices.flatMap(({ value }, index) => (wanted.includes(value) ? [index] : []))
    return Object.fromEntries(ticked.map(index => [boxName(node, index), 'true']))
  }
  return { [pointer]: shown(node, initial) }
}

function shown({ reading }: Leaf, value: unknown): string {
  if (reading === 'lines' && Array.isArray(value)) return value.join('\n')
  if (reading === 'date-time' || reading === 'time') return String(value).replace(/(:00)?(\.\d+)?Z$/i, '')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
