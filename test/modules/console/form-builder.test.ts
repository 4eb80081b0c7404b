import test from 'ava'
import { type LocalText, pickText } from '../../../modules/console/app/data/local-text.ts'
import { answerAt, answerColumns } from '../../../modules/console/app/screens/forms/answers.ts'
import { toModel, toSchemas } from '../../../modules/console/app/screens/forms/form-schema.ts'
import {
  answersOf,
  keyFrom,
  moveQuestion,
  newQuestion,
  plainChoice,
  type Question,
  withType,
  withValues,
} from '../../../modules/console/app/screens/forms/questions.ts'

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  $defs: { zip: { type: 'string' } },
  required: ['email'],
  properties: {
    plan: { type: 'string', enum: ['free', 'pro'], title: 'Plan' },
    email: { type: 'string', format: 'email', title: 'Email', maxLength: 100 },
    zip: { $ref: '#/$defs/zip', title: 'ZIP' },
    tools: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
    address: { type: 'object', properties: { city: { type: 'string', title: 'City' } } },
    company: { type: 'string', description: 'As registered' },
  },
  allOf: [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: { properties: { plan: { const: 'pro' } }, required: ['plan'] }, then: { required: ['company'] } },
    { anyOf: [{ required: ['zip'] }, { required: ['company'] }] },
  ],
}
const UI = { company: { 'ui:widget': 'textarea', 'ui:options': { rows: 3 } }, 'ui:classNames': 'x' }
const english = (text: LocalText) => pickText(text, 'en', 'en')
const typeOf = ({ questions }: { questions: readonly Question[] }, key: string) =>
  questions.find(question => question.key === key)?.type

test('keeps a schema as it was written, with what the builder does not show', t => {
  const model = toModel(SCHEMA, UI)
  const { schema, uiSchema } = toSchemas(model)
  t.deepEqual(schema, { ...SCHEMA, allOf: SCHEMA.allOf.toReversed() })
  t.deepEqual(uiSchema, UI)
})

test('recognizes types of questions, and shows others as custom', t => {
  const model = toModel(SCHEMA, UI)
  const types = ['plan', 'email', 'zip', 'tools', 'address', 'company'].map(key => typeOf(model, key))
  t.deepEqual(types, ['choice', 'email', 'custom', 'choices', 'custom', 'longText'])
})

test('reads and writes a condition', t => {
  const { questions } = toModel(SCHEMA, UI)
  const plan = questions[0] as Question
  t.like(questions[5], { required: 'when', condition: { id: plan.id, value: 'pro' } })
  t.deepEqual(answersOf(plan), ['free', 'pro'])
})

test('applies the order of the uiSchema, and writes it as the order of the schema', t => {
  const model = toModel(SCHEMA, { 'ui:order': ['email', '*', 'plan'] })
  const { schema, uiSchema } = toSchemas(model)
  t.deepEqual(Object.keys(schema.properties as object), ['email', 'zip', 'tools', 'address', 'company', 'plan'])
  t.is(uiSchema, null)
})

test('names new questions after their titles, without collisions', t => {
  const model = toModel({ type: 'object', properties: { yourName: { type: 'string' } } }, null)
  const questions = [
    ...model.questions,
    ...['Your name', 'Your name', ''].map(title => ({ ...newQuestion('text'), title })),
  ]
  const { schema } = toSchemas({ ...model, questions })
  t.deepEqual(Object.keys(schema.properties as object), ['yourName', 'yourName2', 'yourName3', 'question'])
  t.is(keyFrom('Größe in cm?'), 'grosseInCm')
})

test('changes the type of a question', t => {
  const question = { ...newQuestion('text'), title: 'Size', key: 'size' }
  const chosen = { ...withType(question, 'choices'), choices: ['S', '', 'M'].map(plainChoice) }
  const { schema } = toSchemas({ ...toModel({}, null), questions: [chosen] })
  t.deepEqual(schema.properties, {
    size: { type: 'array', title: 'Size', items: { type: 'string', enum: ['S', 'M'] }, uniqueItems: true },
  })
})

test('moves a question', t => {
  const questions = ['a', 'b', 'c'].map(key => ({ ...newQuestion('text'), key }))
  const keysOf = (list: readonly Question[]) => list.map(({ key }) => key).join('')
  t.is(keysOf(moveQuestion(questions, 0, 2)), 'bca')
  t.is(moveQuestion(questions, 2, 3), questions)
})

test('finds one column for each answer, groups included', t => {
  const columns = answerColumns(SCHEMA, { address: { city: { 'ui:title': 'Town' } } }, english)
  t.deepEqual(
    columns.map(({ title }) => title),
    ['Plan', 'Email', 'ZIP', 'Tools', 'Town', 'Company'],
  )
  t.is(answerAt({ address: { city: 'Jena' } }, ['address', 'city']), 'Jena')
  t.is(answerAt({ address: null }, ['address', 'city']), undefined)
})

const LOCAL_SCHEMA = {
  type: 'object',
  title: { en: 'Order', de: 'Bestellung' },
  description: { en: 'Soon.' },
  properties: {
    size: { type: 'string', title: { en: 'Size', de: 'Größe' }, enum: ['S', 'L'] },
    extras: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
    way: { oneOf: [{ const: 1, title: { en: 'Post', de: 'Brief' } }, { const: 2 }] },
  },
}
const LOCAL_UI = {
  size: { 'ui:enumNames': [{ en: 'S', de: 'Klein' }, 'L'] },
  extras: { 'ui:enumNames': ['First', 'Second'], 'ui:help': { de: 'Oder nicht.' } },
  'ui:submitButtonOptions': { submitText: { de: 'Kaufen' } },
}

test('keeps texts in several languages as they were written', t => {
  const model = toModel(LOCAL_SCHEMA, LOCAL_UI)
  t.deepEqual(
    model.questions.map(({ type }) => type),
    ['choice', 'choices', 'custom'],
  )
  t.like(model, { title: { en: 'Order', de: 'Bestellung' }, submitText: { de: 'Kaufen' } })
  t.deepEqual(toSchemas(model), { schema: LOCAL_SCHEMA, uiSchema: LOCAL_UI })
})

test('writes no text without a translation, and no labels that repeat the values', t => {
  const size = { ...newQuestion('choice'), key: 'size', title: { en: '', de: '' }, help: { en: '', de: 'Hilfe' } }
  const choices = [plainChoice('S'), { value: 'L', label: { en: 'L' } }]
  const model = { ...toModel({}, null), title: { en: '' }, questions: [{ ...size, choices, ui: {} }] }
  t.deepEqual(toSchemas(model), {
    schema: {
      type: 'object',
      properties: { size: { type: 'string', description: { de: 'Hilfe' }, enum: ['S', 'L'] } },
    },
    uiSchema: null,
  })
})

test('keeps the labels of choices when their values are edited, added, moved or removed', t => {
  const small = { value: 'Small', label: { en: 'Small', de: 'Klein' } }
  const coded = { value: 'l', label: 'Large' }
  t.deepEqual(withValues([small, coded], ['Small!', 'l'], 'en'), [
    { value: 'Small!', label: { en: 'Small!', de: 'Klein' } },
    coded,
  ])
  t.deepEqual(withValues([small, coded], ['Small', 'xl'], 'en'), [small, { value: 'xl', label: 'Large' }])
  t.deepEqual(withValues([small, coded], ['M', 'l', 'Small'], 'en'), [plainChoice('M'), coded, small])
  t.deepEqual(withValues([small, coded], ['l'], 'en'), [coded])
})

test('names the columns and choices of submissions in the language of the reader', t => {
  const german = (text: LocalText) => pickText(text, 'de', 'en')
  const [size, extras, way] = answerColumns(LOCAL_SCHEMA, LOCAL_UI, german)
  t.deepEqual([size?.title, extras?.title, way?.title], ['Größe', 'Extras', 'Way'])
  t.deepEqual(
    [size?.textOf('S'), extras?.textOf('b'), way?.textOf(1), way?.textOf(2)],
    ['Klein', 'Second', 'Brief', ''],
  )
  t.is(size?.textOf('XL'), undefined)
})
