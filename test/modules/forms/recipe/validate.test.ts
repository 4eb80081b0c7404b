import test from 'ava'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const form = (fields: string) => `modules: { identity: {}, forms: {} }
forms:
  contact:
    name: Contact
${fields}`

test('rejects a required field that the form does not have', async t => {
  const fields = `    schema:
      required: [email, mesage]
      properties:
        email: { type: string }
        message: { type: string }
        address: { type: object, properties: { city: { type: string } }, required: [town] }
`
  t.deepEqual((await recipeProblems(t, form(fields))).map(toLine), [
    'error unknown_property recipe.yaml:8:25 Required field "mesage" is not in properties → Did you mean "message"?',
    'error unknown_property recipe.yaml:12:85 Required field "town" is not in properties → Fields are city',
  ])
})

test('accepts required fields that other keywords may declare', async t => {
  const fields = `    schema:
      required: [email, phone, other]
      properties: { email: { type: string } }
      allOf: [{ properties: { phone: { type: string } } }]
`
  t.deepEqual(await recipeProblems(t, form(fields)), [])
})

test('rejects an unknown format', async t => {
  const fields =
    '    schema: { properties: { mail: { type: string, format: emial }, at: { type: string, format: date } } }\n'
  t.deepEqual((await recipeProblems(t, form(fields))).map(toLine), [
    'error unknown_format recipe.yaml:7:59 Unknown format "emial" → Did you mean "email"?',
  ])
})

test('warns of unknown fields in uiSchema', async t => {
  const fields = `    schema: { properties: { message: { type: string } } }
    uiSchema:
      ui:order: [message, name, "*"]
      mesage: { "ui:widget": textarea }
`
  t.deepEqual((await recipeProblems(t, form(fields))).map(toLine), [
    'warning unknown_property recipe.yaml:9:27 Unknown field "name" in uiSchema → Fields are message',
    'warning unknown_property recipe.yaml:10:7 Unknown field "mesage" in uiSchema → Did you mean "message"?',
  ])
})

test('rejects bounds that no entry can meet', async t => {
  const fields = `    schema:
      properties:
        code: { type: string, minLength: 9, maxLength: 3 }
        age: { type: integer, minimum: 99, maximum: 1 }
        tags: { type: array, minItems: 3, maxItems: 2, items: { type: string } }
        exact: { type: string, minLength: 3, maxLength: 3 }
`
  const lines = [
    'error invalid_option recipe.yaml:9:42 minLength 9 is more than maxLength 3, so no entry could be valid → Exchange them',
    'error invalid_option recipe.yaml:10:40 minimum 99 is more than maximum 1, so no entry could be valid → Exchange them',
    'error invalid_option recipe.yaml:11:40 minItems 3 is more than maxItems 2, so no entry could be valid → Exchange them',
  ]
  t.deepEqual((await recipeProblems(t, form(fields))).map(toLine), lines)
})

test('rejects a default that its own schema rejects', async t => {
  const fields = `    schema:
      $defs: { level: { enum: [low, high] } }
      properties:
        age: { type: integer, default: ten }
        level: { $ref: "#/$defs/level", default: medium }
        news: { type: boolean, default: false }
        same: { $ref: "#/properties/news", default: true }
`
  t.deepEqual((await recipeProblems(t, form(fields))).map(toLine), [
    "error invalid_value recipe.yaml:10:40 The default doesn't match the schema of its field: it must be a whole number → Change the default, or remove it",
    "error invalid_value recipe.yaml:11:50 The default doesn't match the schema of its field: it must be one of low, high → Change the default, or remove it",
  ])
})

test('rejects an unknown widget', async t => {
  const fields = `    schema: { properties: { message: { type: string }, tel: { type: string }, way: { enum: [a, b] } } }
    uiSchema:
      message: { ui:widget: textaera }
      tel: { ui:widget: tel }
      way: { ui:widget: carousel }
`
  const [typo, unknown, ...rest] = (await recipeProblems(t, form(fields))).map(toLine)
  t.is(typo, 'error unknown_widget recipe.yaml:9:29 Unknown widget "textaera" → Did you mean "textarea"?')
  t.regex(
    unknown ?? '',
    /^error unknown_widget recipe.yaml:11:25 Unknown widget "carousel" → Widgets are textarea, radio/,
  )
  t.deepEqual(rest, [])
})

test('reports translations that no reader would see, and those that are no text', async t => {
  const wrong = `    schema:
      title: { en: Contact, dee: Kontakt }
      properties:
        mail: { title: { en: Email, fr: Courriel } }
        way: { enum: [a, b] }
    uiSchema:
      mail: { ui:placeholder: { de: 7 } }
`
  t.deepEqual((await recipeProblems(t, form(wrong))).map(toLine), [
    "error rule_violated recipe.yaml:8:29 'dee' is not a language of this product → languages are en",
    "error rule_violated recipe.yaml:10:37 'fr' is not a language of this product → languages are en",
    'error rule_violated recipe.yaml:13:37 uiSchema.mail.ui:placeholder.de must be a text',
  ])
  const unknown = `    schema: { properties: { way: { enum: [a, b] } } }
    uiSchema:
      way: { ui:enumNames: [A, { en: B, fr: Bé }] }
      ui:submitButtonOptions: { submitText: { fr: Envoyer } }
`
  t.deepEqual((await recipeProblems(t, form(unknown))).map(toLine), [
    "error rule_violated recipe.yaml:9:41 'fr' is not a language of this product → languages are en",
    "error rule_violated recipe.yaml:10:47 'fr' is not a language of this product → languages are en",
  ])
})

const INTO = (
  options: string,
  access = 'public',
  more = '',
) => `modules: { identity: {}, forms: {}, media: {}, collections: {} }
collections:
  others: { fields: { name: { type: text } } }
  tickets:
    fields:
      subject: { type: text, required: true }
      email: { type: email }
      day: { type: date }
      price: { type: money, currency: EUR }
      level: { type: enum, values: [low, high] }
      tags: { type: reference, to: others, many: true }
      photo: { type: file }
      agent: { type: member }
      rank: { type: integer, readOnly: true }
      inner: { type: text, write: [tenant.owner] }
      number: { type: text, sequence: "T-{0}" }
      state: { type: text, required: true, default: new }${more}
    access: { create: { ${access === 'public' ? 'anyone: true' : 'tenant.owner: true'} } }
forms:
  contact:
    name: Contact
    access: ${access}
    schema:
      required: [title]
      properties:
        title: { type: string }
        mail: { type: string, format: email }
        when: { type: string, format: date-time }
        age: { type: integer }
        ratio: { type: number }
        agree: { type: boolean }
        level: { enum: [low, high, extreme] }
        names: { type: array, items: { type: string } }
        home: { type: object, required: [city], properties: { city: { type: string }, zip: { type: string } } }
    into: ${options}
`
const into = (map: string, access?: string, more?: string) =>
  INTO(`{ collection: tickets, map: { ${map} } }`, access, more).replace(/^ *(photo|agent):.*\n/gm, '')

test('accepts a form whose fields fit those of the rows', async t => {
  for (const source of [
    into('subject: title, email: mail, price: age, tags: names'),
    into('subject: title, inner: home.zip', 'tenant'),
  ])
    t.deepEqual((await recipeProblems(t, source)).map(toLine), [])
})

for (const [map, code, expected] of [
  ['subject: titel', 'unknown_property', /Unknown field "titel" in the form → Did you mean "title"/],
  ['subject: home.town', 'unknown_property', /"home.town" in the form → Did you mean "home.city"/],
  ['subject: title, mail: mail', 'unknown_field', /Unknown field "mail" in tickets → Did you mean "email"/],
  [
    'subject: title, email: title',
    'invalid_option',
    /"title" .* doesn't fit "email" of tickets, an email → .*format: email/,
  ],
  ['subject: title, day: when', 'invalid_option', /a date → Its schema needs type: string and format: date/],
  ['subject: title, price: ratio', 'invalid_option', /a money → Its schema needs type: integer/],
  ['subject: title, level: level', 'invalid_option', /an enum → Its schema needs enum with values of low, high/],
  ['subject: title, tags: title', 'invalid_option', /needs type: array/],
  ['subject: home.zip', 'invalid_option', /"home.zip" can be left out in the form, but "subject" .* is required/],
  ['subject: home.city', 'invalid_option', /"home.city" can be left out/],
  ['subject: title, rank: age', 'invalid_option', /"rank" of tickets can't be set/],
  ['subject: title, number: title', 'invalid_option', /"number" of tickets can't be set/],
  ['subject: title, inner: title', 'invalid_option', /"inner" of tickets is written by roles only/],
  ['email: mail', 'missing_key', /"subject" of tickets is required, and no field of the form gives it/],
] as const)
  test(`reports the map { ${map} } of a form`, async t => {
    const [found, ...rest] = await recipeProblems(t, into(map))
    t.is(found?.code, code)
    t.regex(toLine(found as never), expected)
    t.deepEqual(rest.map(toLine), [])
  })

for (const [name, source, code, expected] of [
  [
    'an unknown collection',
    INTO('{ collection: ticket, map: { subject: title } }', 'tenant'),
    'unknown_collection',
    /Did you mean "tickets"/,
  ],
  [
    'a file',
    INTO('{ collection: tickets, map: { subject: title, photo: title } }', 'tenant'),
    'invalid_option',
    /"photo" of tickets is a file/,
  ],
  [
    'a member',
    INTO('{ collection: tickets, map: { subject: title, agent: title } }', 'tenant'),
    'invalid_option',
    /"agent" of tickets is a member/,
  ],
  [
    'a public form for members',
    into('subject: title', 'tenant').replace('access: tenant', 'access: public'),
    'invalid_option',
    /The form is public, but .* → Add anyone: true under collections.tickets.access.create/,
  ],
  [
    'no collections',
    INTO('{ collection: tickets, map: { subject: title } }')
      .replace(', collections: {}', '')
      .replace(/collections:\n[\s\S]*?forms:\n/, 'forms:\n'),
    'missing_port',
    /Add the module collections/,
  ],
  ['an empty map', into(''), 'invalid_value', /fewer than 1/],
  [
    'an unknown key',
    INTO('{ collection: tickets, mapping: {}, map: { subject: title } }', 'tenant'),
    'unknown_key',
    /mapping/,
  ],
] as const)
  test(`reports rows of submissions with ${name}`, async t => {
    const [found, ...rest] = await recipeProblems(t, source)
    t.is(found?.code, code)
    t.regex(toLine(found as never), expected)
    t.deepEqual(rest.map(toLine), [])
  })
