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
