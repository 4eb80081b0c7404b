/** From the schema of a form to questions that can be edited, and back. Keeps what the builder can't show. Pure. */
import { type LocalText, pickText } from '@larder-dev/larder/console'
import {
  type Choice,
  type FormModel,
  filledIn,
  isPlain,
  type Json,
  keyFrom,
  newQuestion,
  type Question,
  type QuestionType,
} from './questions.ts'

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isLocalText = (value: unknown): value is LocalText =>
  typeof value === 'string' || (isRecord(value) && Object.values(value).every(text => typeof text === 'string'))
export const localTextOf = (value: unknown): LocalText => (isLocalText(value) ? value : '')
/** Without empty translations; undefined if nothing is left. */
function written(text: LocalText): LocalText | undefined {
  if (typeof text === 'string') return text || undefined
  const set = Object.entries(text).filter(([, translation]) => translation !== '')
  return set.length > 0 ? Object.fromEntries(set) : undefined
}
/** The property, if it has a text. */
const property = (name: string, text: LocalText): Json => {
  const value = written(text)
  return value === undefined ? {} : { [name]: value }
}
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')

interface Kind {
  readonly schema: Json
  readonly ui?: string
}
const KINDS: Readonly<Record<Exclude<QuestionType, 'custom' | 'choice' | 'choices'>, Kind>> = {
  longText: { schema: { type: 'string' }, ui: 'textarea' },
  phone: { schema: { type: 'string' }, ui: 'tel' },
  email: { schema: { type: 'string', format: 'email' } },
  url: { schema: { type: 'string', format: 'uri' } },
  date: { schema: { type: 'string', format: 'date' } },
  text: { schema: { type: 'string' } },
  number: { schema: { type: 'number' } },
  integer: { schema: { type: 'integer' } },
  checkbox: { schema: { type: 'boolean' } },
}

/** Keywords that a question of any type may have beside those that the builder shows. */
const PLAIN = new Set([
  'type',
  'title',
  'description',
  'format',
  'default',
  'examples',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'enum',
  'items',
  'uniqueItems',
])

function typeOf(schema: Json, ui: Json): QuestionType {
  const widget = textOf(ui['ui:widget'])
  if (Object.keys(schema).some(keyword => !PLAIN.has(keyword))) return 'custom'
  if (!isLabels(ui['ui:enumNames'], valuesOf(schema))) return 'custom'
  if (schema.enum !== undefined)
    return isTexts(schema.enum) && schema.type !== 'array' && ['', 'radio', 'select'].includes(widget)
      ? 'choice'
      : 'custom'
  if (schema.type === 'array') {
    const { items } = schema
    return isRecord(items) && isTexts(items.enum) && Object.keys(items).every(key => key === 'enum' || key === 'type')
      ? 'choices'
      : 'custom'
  }
  const found = Object.entries(KINDS).find(
    ([, kind]) =>
      kind.schema.type === schema.type && kind.schema.format === schema.format && (kind.ui ?? '') === widget,
  )
  return (found?.[0] as QuestionType | undefined) ?? 'custom'
}

/** The values of a choice, or of several. */
const valuesOf = ({ enum: values, items }: Json): readonly unknown[] =>
  listOf(values ?? (isRecord(items) ? items.enum : undefined))
/** Choices with their labels, whatever types their values have. */
export function choicesOf(schema: Json, ui: Json): readonly { readonly value: unknown; readonly label: LocalText }[] {
  const names = listOf(ui['ui:enumNames'])
  const { oneOf, anyOf } = isRecord(schema.items) ? schema.items : schema
  const titled = listOf(oneOf ?? anyOf).filter(isRecord)
  const choices = [
    ...valuesOf(schema).map(value => ({ value, label: value })),
    ...titled.flatMap(({ const: value, title = value }) => (value === undefined ? [] : [{ value, label: title }])),
  ]
  return choices.map(({ value, label }, at) => ({ value, label: localTextOf(names[at] ?? label) }))
}
const isLabels = (names: unknown, values: readonly unknown[]): boolean =>
  names === undefined || (Array.isArray(names) && names.length === values.length && names.every(isLocalText))

const without = (record: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

/** Conditions have no id yet: their questions may follow. */
interface NamedCondition {
  readonly key: string
  readonly value: string | boolean
  readonly requires: readonly string[]
}

export function toModel(schema: Json, uiSchema: Json | null): FormModel {
  const ui = uiSchema ?? {}
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = listOf(schema.required).map(String)
  const parts = listOf(schema.allOf).map(part => ({ part, condition: conditionOf(part) }))
  const conditions = parts.flatMap(({ condition }) => condition ?? [])
  const kept = parts.flatMap(({ part, condition }) => (condition ? [] : [part]))
  const questions = orderOf(Object.keys(properties), ui['ui:order']).map(key =>
    questionOf(key, properties[key], ui[key], required.includes(key)),
  )
  const byKey = new Map(questions.map(question => [question.key, question.id]))
  const others = required.filter(key => !byKey.has(key))
  return {
    questions: questions.map(question => withCondition(question, conditions, byKey)),
    title: localTextOf(schema.title),
    introduction: localTextOf(schema.description),
    submitText: isRecord(ui['ui:submitButtonOptions']) ? localTextOf(ui['ui:submitButtonOptions'].submitText) : '',
    schema: {
      ...without(schema, 'title', 'description', 'properties', 'required', 'allOf'),
      ...(others.length > 0 && { required: others }),
      ...(kept.length > 0 && { allOf: kept }),
    },
    ui: without(ui, 'ui:order', ...byKey.keys()),
  }
}

export function orderOf(names: readonly string[], order: unknown): readonly string[] {
  const listed = listOf(order).map(String)
  const rest = names.filter(name => !listed.includes(name))
  const all = listed.flatMap(name => (name === '*' ? rest : names.includes(name) ? [name] : []))
  return [...new Set([...all, ...rest])]
}

function questionOf(key: string, given: unknown, givenUi: unknown, isRequired: boolean): Question {
  const schema = isRecord(given) ? given : {}
  const ui = isRecord(givenUi) ? givenUi : {}
  const type = typeOf(schema, ui)
  const hasChoices = type === 'choice' || type === 'choices'
  return {
    ...newQuestion(type),
    key,
    isNew: false,
    title: localTextOf(schema.title),
    help: localTextOf(schema.description),
    required: isRequired ? 'always' : 'never',
    condition: undefined,
    choices: hasChoices ? (choicesOf(schema, ui) as readonly Choice[]) : [],
    schema: without(schema, 'title', 'description', ...(type === 'custom' ? [] : ['type', 'format', 'enum', 'items'])),
    ui: hasChoices ? without(ui, 'ui:enumNames') : type in KINDS ? without(ui, 'ui:widget') : ui,
  }
}

/** `{ if: { properties: { a: { const: 'x' } }, required: ['a'] }, then: { required: ['b'] } }` */
function conditionOf(part: unknown): NamedCondition | undefined {
  if (!isRecord(part) || !isRecord(part.if) || !isRecord(part.then)) return undefined
  if (Object.keys(part).length > 2 || Object.keys(part.then).join() !== 'required') return undefined
  const { properties, required, ...rest } = part.if
  const [[key, test] = [], ...more] = isRecord(properties) ? Object.entries(properties) : []
  if (key === undefined || more.length > 0 || Object.keys(rest).length > 0 || !isRecord(test)) return undefined
  if (listOf(required).join() !== key || Object.keys(test).length > 1) return undefined
  const value = isRecord(test.contains) ? test.contains.const : test.const
  if (typeof value !== 'string' && typeof value !== 'boolean') return undefined
  return { key, value, requires: listOf(part.then.required).map(String) }
}

function withCondition(
  question: Question,
  conditions: readonly NamedCondition[],
  ids: ReadonlyMap<string, number>,
): Question {
  const found = conditions.find(({ requires }) => requires.includes(question.key))
  const id = found && ids.get(found.key)
  if (!found || id === undefined || question.required === 'always') return question
  return { ...question, required: 'when', condition: { id, value: found.value } }
}

export function toSchemas({ questions, title, introduction, submitText, schema, ui }: FormModel): {
  schema: Json
  uiSchema: Json | null
} {
  const keys = keysOf(questions)
  const keyOf = (question: Question) => keys.get(question.id) ?? question.key
  const always = questions.filter(({ required }) => required === 'always').map(keyOf)
  const required = [...always, ...listOf(schema.required).map(String)]
  const conditions = questions.flatMap(question => {
    const { condition, required: when } = question
    const decider = questions.find(({ id }) => id === condition?.id)
    if (when !== 'when' || !condition || !decider) return []
    const test = decider.type === 'choices' ? { contains: { const: condition.value } } : { const: condition.value }
    const key = keyOf(decider)
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return [{ if: { properties: { [key]: test }, required: [key] }, then: { required: [keyOf(question)] } }]
  })
  const allOf = [...listOf(schema.allOf), ...conditions]
  const widgets = questions.flatMap(question => {
    const own = uiOf(question)
    return Object.keys(own).length > 0 ? [[keyOf(question), own] as const] : []
  })
  const button = without(isRecord(ui['ui:submitButtonOptions']) ? ui['ui:submitButtonOptions'] : {}, 'submitText')
  const submit = { ...button, ...property('submitText', submitText) }
  const uiSchema = {
    ...without(ui, 'ui:submitButtonOptions'),
    ...Object.fromEntries(widgets),
    ...(Object.keys(submit).length > 0 && { 'ui:submitButtonOptions': submit }),
  }
  return {
    schema: {
      type: 'object',
      ...property('title', title),
      ...property('description', introduction),
      ...without(schema, 'required', 'allOf'),
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(questions.map(question => [keyOf(question), schemaOf(question)])),
      ...(allOf.length > 0 && { allOf }),
    },
    uiSchema: Object.keys(uiSchema).length > 0 ? uiSchema : null,
  }
}

function schemaOf({ type, title, help, choices, schema }: Question): Json {
  const texts = { ...property('title', title), ...property('description', help) }
  const set = filledIn(choices).map(({ value }) => value)
  switch (type) {
    case 'custom':
      return { ...schema, ...texts }
    case 'choice':
      return { type: 'string', ...texts, ...schema, enum: set }
    case 'choices':
      return { type: 'array', ...texts, ...schema, items: { type: 'string', enum: set }, uniqueItems: true }
    default:
      return { ...KINDS[type].schema, ...texts, ...schema }
  }
}

function uiOf({ type, ui, choices }: Question): Json {
  const widget = type in KINDS ? KINDS[type as keyof typeof KINDS].ui : undefined
  const set = filledIn(choices)
  const names = set.map(({ value, label }) => written(label) ?? value)
  return { ...(widget && { 'ui:widget': widget }), ...ui, ...(!set.every(isPlain) && { 'ui:enumNames': names }) }
}

/** Names of properties by the id of their question: unique, and those of stored questions unchanged. */
function keysOf(questions: readonly Question[]): ReadonlyMap<number, string> {
  const keys = new Map(questions.filter(({ isNew }) => !isNew).map(({ id, key }) => [id, key]))
  const taken = new Set(keys.values())
  for (const { id, isNew, key, title } of questions) {
    if (!isNew) continue
    const wanted = key || keyFrom(pickText(title, 'en', 'en')) || 'question'
    let free = wanted
    for (let number = 2; taken.has(free); number++) free = `${wanted}${number}`
    taken.add(free)
    keys.set(id, free)
  }
  return keys
}
