/** From a schema and its uiSchema (the words of react-jsonschema-form) to the fields of a page. Pure. */
import { isFields } from 'larder/kernel'
import { type Choice, type View, viewOf, wordFor } from './resolved-schema.ts'
import { type Json, pointerOf } from './schema-traversal.ts'

interface Common {
  /** Into the entry (RFC 6901); the name of the field too. Empty for the whole. */
  readonly pointer: string
  readonly key: string
  readonly label: string
  readonly help: string
  readonly required: boolean
}
export interface Group extends Common {
  readonly kind: 'group'
  readonly children: readonly Node[]
}
export type Widget = 'input' | 'textarea' | 'select' | 'radios' | 'checkbox' | 'checkboxes' | 'hidden'
/** How the text of a field becomes a value. */
export type Reading = 'text' | 'number' | 'boolean' | 'choice' | 'choices' | 'lines' | 'json' | 'date-time' | 'time'
export interface Leaf extends Common {
  readonly kind: 'leaf'
  readonly widget: Widget
  readonly reading: Reading
  /** Of an input. */
  readonly type: string
  readonly choices: readonly Choice[]
  /** The schema's default. */
  readonly initial: unknown
  /** As HTML has them; empty for none. */
  readonly attributes: Readonly<
    Record<'min' | 'max' | 'step' | 'maxlength' | 'placeholder' | 'autocomplete' | 'rows', string>
  >
}
export type Node = Group | Leaf

interface Place {
  readonly root: Json
  readonly path: readonly string[]
  readonly required: boolean
}

/** `schema` has passed `schemaFaults`: nothing in it leads round in a circle. */
export const modelOf = (schema: Json, uiSchema: Json | null): Group =>
  groupOf(viewOf(schema, schema), uiSchema ?? {}, { root: schema, path: [], required: true })

function nodeOf(schema: Json, ui: Json, place: Place): Node {
  const view = viewOf(place.root, schema)
  return view.type === 'object' && view.properties.size > 0 ? groupOf(view, ui, place) : leafOf(view, ui, place)
}

function groupOf(view: View, ui: Json, place: Place): Group {
  const { root, path } = place
  const names = ordered([...view.properties.keys()], ui['ui:order'])
  const children = names.flatMap(name => {
    const inner = view.properties.get(name)
    const own = ui[name]
    const below = { root, path: [...path, name], required: view.required.has(name) }
    return inner ? [nodeOf(inner, isFields(own) ? own : {}, below)] : []
  })
  return { ...commonOf(view, ui, place), kind: 'group', children }
}

/** `["email", "*"]`: the star stands for the rest. */
function ordered(names: readonly string[], order: unknown): string[] {
  if (!Array.isArray(order)) return [...names]
  const rest = names.filter(name => !order.includes(name))
  const all = order.flatMap(name => (name === '*' ? rest : names.includes(String(name)) ? [String(name)] : []))
  return [...all, ...rest.filter(name => !all.includes(name))]
}

function commonOf({ own }: View, ui: Json, { path, required }: Place): Common {
  const key = path.at(-1) ?? ''
  const help = [text(ui['ui:description']) || text(own.description), text(ui['ui:help'])].filter(Boolean).join(' ')
  return { pointer: pointerOf(path), key, label: text(ui['ui:title']) || text(own.title) || words(key), help, required }
}

function leafOf(view: View, ui: Json, place: Place): Leaf {
  const common = commonOf(view, ui, place)
  const shape = shapeOf(view, place.root, text(ui['ui:widget']))
  const { own } = view
  return {
    ...common,
    kind: 'leaf',
    ...shape,
    choices: named(shape.choices, ui['ui:enumNames']),
    initial: own.default,
    attributes: {
      min: number(own.minimum),
      max: number(own.maximum),
      step: shape.type === 'number' ? number(own.multipleOf) || (view.type === 'integer' ? '1' : 'any') : '',
      maxlength: number(own.maxLength),
      placeholder: text(ui['ui:placeholder']),
      autocomplete: text(ui['ui:autocomplete']) || (shape.type === 'email' ? 'email' : ''),
      rows: number(isFields(ui['ui:options']) ? ui['ui:options'].rows : undefined) || '5',
    },
  }
}

type Shape = Pick<Leaf, 'widget' | 'reading' | 'type' | 'choices'>
const shape = (widget: Widget, reading: Reading, type = '', choices: readonly Choice[] = []): Shape => ({
  widget,
  reading,
  type,
  choices,
})
const YES_NO = [true, false].map(value => ({ value, label: wordFor(value) }))

function shapeOf(view: View, root: Json, widget: string): Shape {
  const { type, choices, own } = view
  const chosen = widget === 'radio' ? 'radios' : 'select'
  if (type === 'boolean')
    return widget === 'radio' || widget === 'select'
      ? shape(chosen, 'choice', '', choices ?? YES_NO)
      : shape('checkbox', 'boolean')
  if (choices) return shape(chosen, 'choice', '', choices)
  if (type === 'array') return listShape(isFields(own.items) ? viewOf(root, own.items) : undefined)
  if (widget === 'hidden') return shape('hidden', type === 'string' ? 'text' : 'json')
  if (type === 'number' || type === 'integer') return shape('input', 'number', 'number')
  if (type !== 'string') return shape('textarea', 'json')
  if (widget === 'textarea') return shape('textarea', 'text')
  const { type: input, reading } = INPUTS.get(own.format) ?? { type: 'text', reading: 'text' }
  return shape('input', reading, WIDGETS.includes(widget) ? widget : input)
}

function listShape(items: View | undefined): Shape {
  if (items?.choices) return shape('checkboxes', 'choices', '', items.choices)
  return items?.type === 'string' ? shape('textarea', 'lines') : shape('textarea', 'json')
}

/** Widgets that are types of input, for text of any format. */
const WIDGETS = ['email', 'url', 'uri', 'tel', 'password', 'search']
const INPUTS: ReadonlyMap<unknown, { type: string; reading: Reading }> = new Map([
  ['email', { type: 'email', reading: 'text' }],
  ['uri', { type: 'url', reading: 'text' }],
  ['url', { type: 'url', reading: 'text' }],
  ['date', { type: 'date', reading: 'text' }],
  ['time', { type: 'time', reading: 'time' }],
  ['date-time', { type: 'datetime-local', reading: 'date-time' }],
])

const named = (choices: readonly Choice[], names: unknown): Choice[] =>
  choices.map(({ value, label }, index) => ({ value, label: (Array.isArray(names) && text(names[index])) || label }))

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): string => (typeof value === 'number' ? String(value) : '')

/** `firstName` → `First name`. */
function words(key: string): string {
  const spaced = key
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
