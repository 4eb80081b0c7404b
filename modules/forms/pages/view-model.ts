/** The fields of a page as its template wants them: one flat list, groups opened and closed. Pure. */
import type { FieldError } from 'larder/kernel'
import type { Group, Leaf, Node, Widget } from '../domain/field-model.ts'
import { boxName, type Fields } from '../domain/form-parser.ts'
import { type Choice, wordFor } from '../domain/resolved-schema.ts'
import type { Words } from './texts.ts'

export interface Item {
  readonly kind: Widget | 'open' | 'close'
  readonly id: string
  readonly name: string
  readonly label: string
  readonly help: string
  readonly error: string
  /** Ids of help and error, for aria-describedby. */
  readonly describedBy: string
  readonly required: boolean
  readonly type: string
  readonly value: string
  readonly checked: boolean
  readonly boxes: readonly Box[]
  readonly attributes: Leaf['attributes']
}
export interface Box {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly label: string
  readonly checked: boolean
}
/** A line of the summary above the fields. */
export interface Summary {
  readonly text: string
  /** `#field-1`; empty where no field is to blame. */
  readonly anchor: string
}

export function itemsOf(
  model: Group,
  values: Fields,
  errors: readonly FieldError[],
  words: Words,
): { readonly items: readonly Item[]; readonly summary: readonly Summary[] } {
  const leaves = leavesOf(model)
  const blamed = errors.map(error => ({ error, leaf: leaves.find(leaf => isOf(leaf, error)) }))
  const messages = new Map<Leaf, string>()
  for (const { error, leaf } of blamed)
    if (leaf && !messages.has(leaf)) messages.set(leaf, `${leaf.label} ${plainly(leaf, error, words)}.`)
  const idOf = (leaf: Leaf) => `field-${leaves.indexOf(leaf) + 1}`
  const general = blamed
    .filter(({ leaf }) => !leaf)
    .map(({ error }) => ({ text: `${place(error, words)} ${sentence(error.detail, words)}.`, anchor: '' }))
  const summary = leaves.flatMap(leaf => {
    const text = messages.get(leaf)
    return text ? [{ text, anchor: `#${anchorOf(leaf, idOf(leaf))}` }] : []
  })
  const items = model.children.flatMap(node =>
    flat(node, leaf => leafItem(leaf, idOf(leaf), { values, words, error: messages.get(leaf) ?? '' })),
  )
  return { items, summary: [...summary, ...general] }
}

const leavesOf = (node: Node): Leaf[] => (node.kind === 'leaf' ? [node] : node.children.flatMap(leavesOf))
const isOf = ({ pointer }: Leaf, error: FieldError) =>
  error.pointer === pointer || error.pointer.startsWith(`${pointer}/`)
/** The first of several boxes. */
const anchorOf = ({ widget }: Leaf, id: string) => (widget === 'radios' || widget === 'checkboxes' ? `${id}-0` : id)
const place = ({ pointer }: FieldError, { whole }: Words) =>
  pointer === '' ? whole : pointer.slice(1).replaceAll('/', ' › ')

function flat(node: Node, item: (leaf: Leaf) => Item): Item[] {
  if (node.kind === 'leaf') return [item(node)]
  const { label, help, pointer } = node
  const edge = { ...NOTHING, label, help, name: pointer }
  return [{ ...edge, kind: 'open' }, ...node.children.flatMap(child => flat(child, item)), { ...edge, kind: 'close' }]
}

const NOTHING: Omit<Item, 'kind'> = {
  id: '',
  name: '',
  label: '',
  help: '',
  error: '',
  describedBy: '',
  required: false,
  type: '',
  value: '',
  checked: false,
  boxes: [],
  attributes: { min: '', max: '', step: '', maxlength: '', placeholder: '', autocomplete: '', rows: '' },
}

interface Said {
  readonly values: Fields
  readonly words: Words
  readonly error: string
}

function leafItem(leaf: Leaf, id: string, { values, words, error }: Said): Item {
  const { widget, pointer, label, required, type, attributes } = leaf
  const help = [leaf.help, words.hints[leaf.reading]].filter(Boolean).join(' ')
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return {
    kind: widget,
    id,
    name: pointer,
    label,
    help,
    error,
    describedBy: described,
    required,
    type,
    value: values[pointer] ?? '',
    checked: values[pointer] !== undefined,
    boxes: boxesOf(leaf, id, values, words),
    attributes,
  }
}

function boxesOf(leaf: Leaf, id: string, values: Fields, words: Words): Box[] {
  return leaf.choices.map((choice, index) => {
    const label = labelOf(choice, words)
    const several = leaf.widget === 'checkboxes'
    const name = several ? boxName(leaf, index) : leaf.pointer
    const checked = several ? values[name] !== undefined : values[name] === String(index)
    return { id: `${id}-${index}`, name, value: several ? 'true' : String(index), label, checked }
  })
}

/** In words for somebody who never saw a schema. */
function plainly({ widget, type, choices }: Leaf, { code, detail }: FieldError, words: Words): string {
  if (widget === 'checkbox' && code !== 'required') return words.ticked
  if ((widget === 'select' || widget === 'radios') && code !== 'required')
    return `${words.oneOf} ${choices.map(choice => labelOf(choice, words)).join(', ')}`
  if (code === 'wrong_format') return words.formats[type] ?? words.otherFormat
  return sentence(detail, words)
}

function sentence(detail: string, { says, otherwise = detail }: Words): string {
  const [pattern, plain] = says.find(([pattern]) => pattern.test(detail)) ?? []
  return pattern && plain ? detail.replace(pattern, plain) : otherwise
}

/** A value that nobody gave a name to is named in the reader's language. */
function labelOf({ value, label }: Choice, { values }: Words): string {
  const isPlain = (typeof value === 'boolean' || value === null) && label === wordFor(value)
  return isPlain ? values[String(value) as 'true' | 'false' | 'null'] : label
}
