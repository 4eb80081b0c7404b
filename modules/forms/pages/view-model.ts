/** View model of a form: one flat list of fields, with markers where groups open and close. Pure. */
import { type FieldError, type Wording, wording } from '@larder-dev/larder/kernel'
import type { Field, FieldGroup, FieldNode, Widget } from '../domain/field-model.ts'
import { checkboxName, type PostedFields } from '../domain/form-parser.ts'
import { type FormTexts, fieldWording, plainWording } from '../domain/page-texts.ts'
import { type Choice, displayValue } from '../domain/schema-resolution.ts'

export interface FieldView {
  readonly kind: Widget | 'open' | 'close'
  readonly id: string
  readonly name: string
  readonly label: string
  readonly help: string
  /** Empty without an error. */
  readonly error: Wording | ''
  /** Ids of the help and error elements, for aria-describedby. */
  readonly describedBy: string
  readonly required: boolean
  readonly type: string
  readonly value: string
  readonly checked: boolean
  readonly boxes: readonly OptionView[]
  readonly attributes: Field['attributes']
}
export interface OptionView {
  readonly id: string
  readonly name: string
  readonly value: string
  readonly label: string
  readonly checked: boolean
}
/** A line of the error summary above the fields. */
export interface ErrorSummaryLine {
  readonly text: Wording
  /** `#field-1`; empty for an error that concerns no field. */
  readonly anchor: string
}

export function createViewModel(
  model: FieldGroup,
  values: PostedFields,
  errors: readonly FieldError[],
  texts: FormTexts,
): { readonly items: readonly FieldView[]; readonly summary: readonly ErrorSummaryLine[] } {
  const fields = fieldsIn(model)
  const located = errors.map(error => ({ error, field: fields.find(field => concerns(field, error)) }))
  const messages = new Map<Field, Wording>()
  for (const { error, field } of located)
    if (field && !messages.has(field))
      messages.set(field, sentence(field.label, fieldWording(field, error, labelsOf(field, texts))))
  const idOf = (field: Field) => `field-${fields.indexOf(field) + 1}`
  const general = located
    .filter(({ field }) => !field)
    .map(({ error }) => ({ text: sentence(fieldName(error), plainWording(error)), anchor: '' }))
  const summary = fields.flatMap(field => {
    const text = messages.get(field)
    return text ? [{ text, anchor: `#${anchorOf(field, idOf(field))}` }] : []
  })
  const items = model.children.flatMap(node =>
    flatten(node, field => fieldView(field, idOf(field), { values, texts, error: messages.get(field) ?? '' })),
  )
  return { items, summary: [...summary, ...general] }
}

const fieldsIn = (node: FieldNode): Field[] => (node.kind === 'field' ? [node] : node.children.flatMap(fieldsIn))
const concerns = ({ pointer }: Field, error: FieldError) =>
  error.pointer === pointer || error.pointer.startsWith(`${pointer}/`)
/** The first of several options. */
const anchorOf = ({ widget }: Field, id: string) => (widget === 'radios' || widget === 'checkboxes' ? `${id}-0` : id)
const fieldName = ({ pointer }: FieldError): string | Wording =>
  pointer === '' ? wording('The form') : pointer.slice(1).replaceAll('/', ' › ')
const sentence = (field: string | Wording, problem: Wording): Wording =>
  wording('{field} {problem}.', { field, problem })
const labelsOf = ({ choices }: Field, texts: FormTexts): string[] => choices.map(choice => labelOf(choice, texts))

function flatten(node: FieldNode, toView: (field: Field) => FieldView): FieldView[] {
  if (node.kind === 'field') return [toView(node)]
  const { label, help, pointer } = node
  const edge = { ...EMPTY_VIEW, label, help, name: pointer }
  return [
    { ...edge, kind: 'open' },
    ...node.children.flatMap(child => flatten(child, toView)),
    { ...edge, kind: 'close' },
  ]
}

const EMPTY_VIEW: Omit<FieldView, 'kind'> = {
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

interface FieldState {
  readonly values: PostedFields
  readonly texts: FormTexts
  readonly error: Wording | ''
}

function fieldView(field: Field, id: string, { values, texts, error }: FieldState): FieldView {
  const { widget, pointer, label, required, type, attributes } = field
  const help = [field.help, texts.hints[field.valueFormat]].filter(Boolean).join(' ')
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
    boxes: optionViews(field, id, values, texts),
    attributes,
  }
}

function optionViews(field: Field, id: string, values: PostedFields, texts: FormTexts): OptionView[] {
  return field.choices.map((choice, index) => {
    const label = labelOf(choice, texts)
    const multiple = field.widget === 'checkboxes'
    const name = multiple ? checkboxName(field, index) : field.pointer
    const checked = multiple ? values[name] !== undefined : values[name] === String(index)
    return { id: `${id}-${index}`, name, value: multiple ? 'true' : String(index), label, checked }
  })
}

/** Translates booleans and null, unless the schema labels them. */
function labelOf({ value, label }: Choice, { values }: FormTexts): string {
  const isPlain = (typeof value === 'boolean' || value === null) && label === displayValue(value)
  return isPlain ? values[String(value) as 'true' | 'false' | 'null'] : label
}
