/** Turns a schema and its uiSchema (as in react-jsonschema-form) into the fields of a page. Pure. */
import { isRecord } from '@larder-dev/larder/kernel'
import { type Choice, displayValue, type ResolvedSchema, resolveSchema } from './schema-resolution.ts'
import { type Json, toPointer } from './schema-traversal.ts'

interface Common {
  /** JSON Pointer into the entry (RFC 6901), and the name of the field. Empty for the root. */
  readonly pointer: string
  readonly key: string
  readonly label: string
  readonly help: string
  readonly required: boolean
}
export interface FieldGroup extends Common {
  readonly kind: 'group'
  readonly children: readonly FieldNode[]
}
export type Widget = 'input' | 'textarea' | 'select' | 'radios' | 'checkbox' | 'checkboxes' | 'hidden'
/** How the text of a field is parsed into a value. */
export type ValueFormat = 'text' | 'number' | 'boolean' | 'choice' | 'choices' | 'lines' | 'json' | 'date-time' | 'time'
export interface Field extends Common {
  readonly kind: 'field'
  readonly widget: Widget
  readonly valueFormat: ValueFormat
  /** Type attribute of an input; empty for other widgets. */
  readonly type: string
  readonly choices: readonly Choice[]
  readonly defaultValue: unknown
  /** HTML attributes; empty if absent. */
  readonly attributes: Readonly<
    Record<'min' | 'max' | 'step' | 'maxlength' | 'placeholder' | 'autocomplete' | 'rows', string>
  >
}
export type FieldNode = FieldGroup | Field

interface Position {
  readonly root: Json
  readonly path: readonly string[]
  readonly required: boolean
}

/** @param schema passed `validateSchema`, so it has no cyclic references. */
export const createFieldModel = (schema: Json, uiSchema: Json | null): FieldGroup =>
  createGroup(resolveSchema(schema, schema), uiSchema ?? {}, { root: schema, path: [], required: true })

function createNode(schema: Json, ui: Json, place: Position): FieldNode {
  const resolved = resolveSchema(place.root, schema)
  return resolved.type === 'object' && resolved.properties.size > 0
    ? createGroup(resolved, ui, place)
    : createField(resolved, ui, place)
}

function createGroup(resolved: ResolvedSchema, ui: Json, place: Position): FieldGroup {
  const { root, path } = place
  const names = orderNames([...resolved.properties.keys()], ui['ui:order'])
  const children = names.flatMap(name => {
    const inner = resolved.properties.get(name)
    const own = ui[name]
    const below = { root, path: [...path, name], required: resolved.required.has(name) }
    return inner ? [createNode(inner, isRecord(own) ? own : {}, below)] : []
  })
  return { ...commonProperties(resolved, ui, place), kind: 'group', children }
}

/** `["email", "*"]`: the asterisk stands for all other names. */
function orderNames(names: readonly string[], order: unknown): string[] {
  if (!Array.isArray(order)) return [...names]
  const rest = names.filter(name => !order.includes(name))
  const all = order.flatMap(name => (name === '*' ? rest : names.includes(String(name)) ? [String(name)] : []))
  return [...all, ...rest.filter(name => !all.includes(name))]
}

function commonProperties({ keywords }: ResolvedSchema, ui: Json, { path, required }: Position): Common {
  const key = path.at(-1) ?? ''
  const help = [textOrEmpty(ui['ui:description']) || textOrEmpty(keywords.description), textOrEmpty(ui['ui:help'])]
    .filter(Boolean)
    .join(' ')
  return {
    pointer: toPointer(path),
    key,
    label: textOrEmpty(ui['ui:title']) || textOrEmpty(keywords.title) || labelFromKey(key),
    help,
    required,
  }
}

function createField(resolved: ResolvedSchema, ui: Json, place: Position): Field {
  const common = commonProperties(resolved, ui, place)
  const shape = inputShapeOf(resolved, place.root, textOrEmpty(ui['ui:widget']))
  const { keywords } = resolved
  return {
    ...common,
    kind: 'field',
    ...shape,
    choices: withLabels(shape.choices, ui['ui:enumNames']),
    defaultValue: keywords.default,
    attributes: {
      min: numberOrEmpty(keywords.minimum),
      max: numberOrEmpty(keywords.maximum),
      step:
        shape.type === 'number'
          ? numberOrEmpty(keywords.multipleOf) || (resolved.type === 'integer' ? '1' : 'any')
          : '',
      maxlength: numberOrEmpty(keywords.maxLength),
      placeholder: textOrEmpty(ui['ui:placeholder']),
      autocomplete: textOrEmpty(ui['ui:autocomplete']) || (shape.type === 'email' ? 'email' : ''),
      rows: numberOrEmpty(isRecord(ui['ui:options']) ? ui['ui:options'].rows : undefined) || '5',
    },
  }
}

type InputShape = Pick<Field, 'widget' | 'valueFormat' | 'type' | 'choices'>
const shape = (widget: Widget, valueFormat: ValueFormat, type = '', choices: readonly Choice[] = []): InputShape => ({
  widget,
  valueFormat,
  type,
  choices,
})
const BOOLEAN_CHOICES = [true, false].map(value => ({ value, label: displayValue(value) }))

function inputShapeOf(resolved: ResolvedSchema, root: Json, widget: string): InputShape {
  const { type, choices, keywords } = resolved
  const chosen = widget === 'radio' ? 'radios' : 'select'
  if (type === 'boolean')
    return widget === 'radio' || widget === 'select'
      ? shape(chosen, 'choice', '', choices ?? BOOLEAN_CHOICES)
      : shape('checkbox', 'boolean')
  if (choices) return shape(chosen, 'choice', '', choices)
  if (type === 'array') return listShape(isRecord(keywords.items) ? resolveSchema(root, keywords.items) : undefined)
  if (widget === 'hidden') return shape('hidden', type === 'string' ? 'text' : 'json')
  if (type === 'number' || type === 'integer') return shape('input', 'number', 'number')
  if (type !== 'string') return shape('textarea', 'json')
  if (widget === 'textarea') return shape('textarea', 'text')
  const { type: input, valueFormat } = INPUTS_BY_FORMAT.get(keywords.format) ?? { type: 'text', valueFormat: 'text' }
  return shape('input', valueFormat, INPUT_TYPES.includes(widget) ? widget : input)
}

function listShape(items: ResolvedSchema | undefined): InputShape {
  if (items?.choices) return shape('checkboxes', 'choices', '', items.choices)
  return items?.type === 'string' ? shape('textarea', 'lines') : shape('textarea', 'json')
}

/** Widgets that are input types. They apply to text of any format. */
const INPUT_TYPES = ['email', 'url', 'uri', 'tel', 'password', 'search']
/** Values of `ui:widget`: those that change a field, and those that name what a field of a type is anyway. */
export const WIDGETS: readonly string[] = [
  'textarea',
  'radio',
  'select',
  'hidden',
  ...INPUT_TYPES,
  'text',
  'checkbox',
  'checkboxes',
  'updown',
  'date',
  'time',
  'date-time',
]
const INPUTS_BY_FORMAT: ReadonlyMap<unknown, { type: string; valueFormat: ValueFormat }> = new Map([
  ['email', { type: 'email', valueFormat: 'text' }],
  ['uri', { type: 'url', valueFormat: 'text' }],
  ['url', { type: 'url', valueFormat: 'text' }],
  ['date', { type: 'date', valueFormat: 'text' }],
  ['time', { type: 'time', valueFormat: 'time' }],
  ['date-time', { type: 'datetime-local', valueFormat: 'date-time' }],
])

const withLabels = (choices: readonly Choice[], names: unknown): Choice[] =>
  choices.map(({ value, label }, index) => ({
    value,
    label: (Array.isArray(names) && textOrEmpty(names[index])) || label,
  }))

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOrEmpty = (value: unknown): string => (typeof value === 'number' ? String(value) : '')

/** `firstName` → `First name`. */
function labelFromKey(key: string): string {
  const spaced = key
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
