/** The fields of a page as its template wants them: one flat list, groups opened and closed. Pure. */
import type { FieldError } from '../../../kernel/problem.ts'
import type { Group, Leaf, Node, Widget } from './model.ts'
import { boxName, type Fields } from './posted.ts'

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
): { readonly items: readonly Item[]; readonly summary: readonly Summary[] } {
  const leaves = leavesOf(model)
  const blamed = errors.map(error => ({ error, leaf: leaves.find(leaf => isOf(leaf, error)) }))
  const messages = new Map<Leaf, string>()
  for (const { error, leaf } of blamed)
    if (leaf && !messages.has(leaf)) messages.set(leaf, `${leaf.label} ${plainly(leaf, error)}.`)
  const idOf = (leaf: Leaf) => `field-${leaves.indexOf(leaf) + 1}`
  const general = blamed
    .filter(({ leaf }) => !leaf)
    .map(({ error }) => ({ text: `${place(error)} ${error.detail}.`, anchor: '' }))
  const summary = leaves.flatMap(leaf => {
    const text = messages.get(leaf)
    return text ? [{ text, anchor: `#${anchorOf(leaf, idOf(leaf))}` }] : []
  })
  const items = model.children.flatMap(node =>
    flat(node, leaf => leafItem(leaf, idOf(leaf), values, messages.get(leaf) ?? '')),
  )
  return { items, summary: [...summary, ...general] }
}

const leavesOf = (node: Node): Leaf[] => (node.kind === 'leaf' ? [node] : node.children.flatMap(leavesOf))
const isOf = ({ pointer }: Leaf, error: FieldError) =>
  error.pointer === pointer || error.pointer.startsWith(`${pointer}/`)
/** The first of several boxes. */
const anchorOf = ({ widget }: Leaf, id: string) => (widget === 'radios' || widget === 'checkboxes' ? `${id}-0` : id)
const place = ({ pointer }: FieldError) => (pointer === '' ? 'The form' : pointer.slice(1).replaceAll('/', ' › '))

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

function leafItem(leaf: Leaf, id: string, values: Fields, error: string): Item {
  const { widget, pointer, label, help, required, type, attributes } = leaf
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
    boxes: boxesOf(leaf, id, values),
    attributes,
  }
}

function boxesOf(leaf: Leaf, id: string, values: Fields): Box[] {
  return leaf.choices.map(({ label }, index) => {
    const several = leaf.widget === 'checkboxes'
    const name = several ? boxName(leaf, index) : leaf.pointer
    const checked = several ? values[name] !== undefined : values[name] === String(index)
    return { id: `${id}-${index}`, name, value: several ? 'true' : String(index), label, checked }
  })
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address, like name@example.com',
  url: 'must be a whole address, like https://example.com',
  date: 'must be a day, like 2026-01-31',
  time: 'must be a time of day, like 09:30',
  'datetime-local': 'must be a day and a time, like 2026-01-31T09:30',
}

/** What the validator says, as people would. */
const WORDS: readonly (readonly [says: RegExp, plain: string])[] = [
  [/^must not have fewer than (\d+) characters$/, 'must have at least $1 characters'],
  [/^must not have more than (\d+) characters$/, 'must have at most $1 characters'],
  [/^must not have fewer than (\d+) items$/, 'must have at least $1'],
  [/^must not have more than (\d+) items$/, 'must have at most $1'],
  [/^must be >= (.+)$/, 'must be $1 or more'],
  [/^must be <= (.+)$/, 'must be $1 or less'],
  [/^must be > (.+)$/, 'must be more than $1'],
  [/^must be < (.+)$/, 'must be less than $1'],
  [/^must be integer$/, 'must be a whole number'],
  [/^must be number$/, 'must be a number'],
]

/** In words for somebody who never saw a schema. */
function plainly({ widget, type, choices }: Leaf, { code, detail }: FieldError): string {
  if (widget === 'checkbox' && code !== 'required') return 'must be ticked'
  if ((widget === 'select' || widget === 'radios') && code !== 'required')
    return `must be one of ${choices.map(({ label }) => label).join(', ')}`
  if (code === 'wrong_format') return FORMATS[type] ?? 'does not have the right form'
  const [says, plain] = WORDS.find(([says]) => says.test(detail)) ?? []
  return says && plain ? detail.replace(says, plain) : detail
}
