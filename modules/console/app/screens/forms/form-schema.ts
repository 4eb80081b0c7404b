/** From the schema of a form to questions that can be edited, and back. Keeps what the builder can't show. Pure. */
import { type FormModel, type Json, keyFrom, newQuestion, type Question, type QuestionType } from './questions.ts'

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
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
  ...['type', 'title', 'description', 'format', 'default', 'examples', 'minLength', 'maxLength', 'pattern'],
  ...['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
  ...['enum', 'items', 'uniqueItems'],
])

function typeOf(schema: Json, ui: Json): QuestionType {
  const widget = textOf(ui['ui:widget'])
  if (Object.keys(schema).some(keyword => !PLAIN.has(keyword)) || 'ui:enumNames' in ui) return 'custom'
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
    submitText: isRecord(ui['ui:submitButtonOptions']) ? textOf(ui['ui:submitButtonOptions'].submitText) : '',
    schema: {
      ...without(schema, 'properties', 'required', 'allOf'),
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
  const items = isRecord(schema.items) ? schema.items : {}
  return {
    ...newQuestion(type),
    key,
    isNew: false,
    title: textOf(schema.title),
    help: textOf(schema.description),
    required: isRequired ? 'always' : 'never',
    condition: undefined,
    choices: type === 'choice' ? (schema.enum as string[]) : type === 'choices' ? (items.enum as string[]) : [],
    schema: without(schema, 'title', 'description', ...(type === 'custom' ? [] : ['type', 'format', 'enum', 'items'])),
    ui: type in KINDS ? without(ui, 'ui:widget') : ui,
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

export function toSchemas({ questions, submitText, schema, ui }: FormModel): { schema: Json; uiSchema: Json | null } {
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
  const submit = { ...button, ...(submitText !== '' && { submitText }) }
  const uiSchema = {
    ...without(ui, 'ui:submitButtonOptions'),
    ...Object.fromEntries(widgets),
    ...(Object.keys(submit).length > 0 && { 'ui:submitButtonOptions': submit }),
  }
  return {
    schema: {
      type: 'object',
      ...without(schema, 'required', 'allOf'),
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(questions.map(question => [keyOf(question), schemaOf(question)])),
      ...(allOf.length > 0 && { allOf }),
    },
    uiSchema: Object.keys(uiSchema).length > 0 ? uiSchema : null,
  }
}

function schemaOf({ type, title, help, choices, schema }: Question): Json {
  const texts = { ...(title !== '' && { title }), ...(help !== '' && { description: help }) }
  const set = choices.filter(choice => choice.trim() !== '')
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

function uiOf({ type, ui }: Question): Json {
  const widget = type in KINDS ? KINDS[type as keyof typeof KINDS].ui : undefined
  return widget ? { 'ui:widget': widget, ...ui } : ui
}

/** Names of properties by the id of their question: unique, and those of stored questions unchanged. */
function keysOf(questions: readonly Question[]): ReadonlyMap<number, string> {
  const keys = new Map(questions.filter(({ isNew }) => !isNew).map(({ id, key }) => [id, key]))
  const taken = new Set(keys.values())
  for (const { id, isNew, key, title } of questions) {
    if (!isNew) continue
    const wanted = key || keyFrom(title) || 'question'
    let free = wanted
    for (let number = 2; taken.has(free); number++) free = `${wanted}${number}`
    taken.add(free)
    keys.set(id, free)
  }
  return keys
}
