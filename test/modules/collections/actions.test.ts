import test from 'ava'
import { ACTIONS, mistakesOf, runAction, runAndFail, shapeOf } from '../../fixtures/actions.ts'
import type { Listed } from '../../fixtures/people.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, ACTIONS)

interface Row {
  readonly collection: string
  readonly id: string
}
const create = async (values: object, run: { readonly tenantId: string }) =>
  (await runAction(kernel.kernel, 'collections.create', { collection: 'tickets', values }, run)) as Row
test('creates a row that nobody has created, whatever the access rules say', async t => {
  const ada = await people.person()
  const { collection, id } = await create({ title: 'Chair', reporter: 'Bob' }, ada)
  t.is(collection, 'tickets')
  t.like((await ada.get(`/v1/data/tickets/${id}`)).body, { title: 'Chair', reporter: 'Bob', createdBy: null })
})

test('changes a row, and its history names the automation', async t => {
  const ada = await people.person()
  const row = await create({ title: 'Chair' }, ada)
  await runAction(kernel.kernel, 'collections.update', { row, set: { escalated: true } }, ada)
  t.like((await ada.get(`/v1/data/tickets/${row.id}`)).body, { escalated: true, revision: 2 })
  const { body } = await ada.get<Listed<{ changedBy: string }>>(`/v1/data/tickets/${row.id}/history`)
  t.deepEqual(
    body.data.map(({ changedBy }) => changedBy),
    ['automation welcome'],
  )
})

test('deletes a row', async t => {
  const ada = await people.person()
  const row = await create({ title: 'Chair' }, ada)
  await runAction(kernel.kernel, 'collections.delete', { row }, ada)
  t.is((await ada.get(`/v1/data/tickets/${row.id}`)).status, 404)
})

test('a step that fails leaves the rows as they were', async t => {
  const ada = await people.person()
  const row = await create({ title: 'Chair' }, ada)
  await runAndFail(kernel.kernel, 'collections.create', { collection: 'tickets', values: { title: 'Table' } }, ada)
  await runAndFail(kernel.kernel, 'collections.update', { row, set: { title: 'Lamp' } }, ada)
  await runAndFail(kernel.kernel, 'collections.delete', { row }, ada)
  const { body } = await ada.get<Listed<{ title: string; revision: number }>>('/v1/data/tickets')
  t.deepEqual(
    body.data.map(({ title, revision }) => [title, revision]),
    [['Chair', 1]],
  )
})

test('values are checked as those of the API are', async t => {
  const ada = await people.person()
  const row = await create({ title: 'Chair', number: 1 }, ada)
  const code = async (running: Promise<unknown>) => (await problemOf(t, running)).code
  t.is(await code(create({}, ada)), 'validation_failed')
  t.is(await code(create({ title: 'x'.repeat(51) }, ada)), 'validation_failed')
  t.is(await code(create({ title: 'Table', number: 'many' }, ada)), 'validation_failed')
  t.is(await code(create({ title: 'Table', color: 'red' }, ada)), 'validation_failed')
  t.is(await code(create({ title: 'Table', number: 1 }, ada)), 'value_taken')
  const set = (values: object) => runAction(kernel.kernel, 'collections.update', { row, set: values }, ada)
  t.is(await code(set({ reporter: 'Eve' })), 'validation_failed')
  t.is(await code(set({ double: 2 })), 'validation_failed')
})

test('neither changes nor deletes rows of another workspace', async t => {
  const ada = await people.person()
  const bob = await people.person()
  const row = await create({ title: 'Chair' }, ada)
  const update = runAction(kernel.kernel, 'collections.update', { row, set: { title: 'Mine' } }, bob)
  t.is((await problemOf(t, update)).code, 'not_found')
  t.is((await problemOf(t, runAction(kernel.kernel, 'collections.delete', { row }, bob))).code, 'not_found')
})

test('writes no shared rows from the workspace of a customer', async t => {
  const ada = await people.person()
  const input = { collection: 'articles', values: { title: 'News' } }
  t.is((await problemOf(t, runAction(kernel.kernel, 'collections.create', input, ada))).code, 'rows_elsewhere')
})

test('a collection that the recipe no longer has ends the step', async t => {
  const ada = await people.person()
  const row = { collection: 'removed', id: 'rem_1' }
  t.is((await problemOf(t, runAction(kernel.kernel, 'collections.delete', { row }, ada))).code, 'unknown_collection')
})

test('the check finds unknown collections and fields, and those that no step sets', t => {
  const check = (collection: string, values: object) =>
    mistakesOf(kernel.kernel, 'collections.create', { collection, values })
  t.deepEqual(check('tickts', {}), [
    'unknown_collection collection: Unknown collection "tickts". Did you mean "tickets"?',
  ])
  t.deepEqual(check('tickets', { titel: 'Chair', double: 2 }), [
    'unknown_field values.titel: Unknown field "titel" of collection "tickets". Did you mean "title"?',
    'field_not_writable values.double: The field "double" can\'t be set. Remove it',
  ])
  const change = mistakesOf(kernel.kernel, 'collections.update', { row: '$row', set: { reporter: 'Eve' } }, 'tickets')
  t.deepEqual(change, ['field_not_writable set.reporter: The field "reporter" can\'t be set. Remove it'])
})

test('a step has the types of the fields of its collection', t => {
  const written = { row: '$row', set: { escalated: true } }
  const { input } = shapeOf(kernel.kernel, 'collections.update', written, 'tickets')
  const { set } = (input as unknown as { properties: { set: { properties: Record<string, object> } } }).properties
  t.deepEqual(Object.keys(set.properties), ['title', 'number', 'escalated', 'state'])
  t.like(set.properties.title, { type: 'string', maxLength: 50 })
  t.deepEqual(shapeOf(kernel.kernel, 'collections.update', written), {})
})

test('a step that sets a state publishes its event, and a new row has a first state', t => {
  const eventsOf = (set: object) => shapeOf(kernel.kernel, 'collections.update', { row: '$row', set }, 'tickets').events
  t.deepEqual(eventsOf({ title: 'Chair' }), ['collections.tickets.updated'])
  t.deepEqual(eventsOf({ state: 'done' }), ['collections.tickets.updated', 'collections.tickets.state.done'])
  const { input } = shapeOf(kernel.kernel, 'collections.create', { collection: 'tickets', values: { title: 'Chair' } })
  const { values } = (input as unknown as { properties: { values: { properties: Record<string, object> } } }).properties
  t.deepEqual(JSON.stringify(values.properties.state).match(/"enum":\[[^\]]*\]/)?.[0], '"enum":["open"]')
})

test('a step follows the transitions between states', async t => {
  const ada = await people.person()
  const row = await create({ title: 'Chair' }, ada)
  const set = (state: string) => runAction(kernel.kernel, 'collections.update', { row, set: { state } }, ada)
  await set('done')
  t.is((await problemOf(t, set('open'))).code, 'transition_refused')
  t.is((await problemOf(t, create({ title: 'Table', state: 'done' }, ada))).code, 'validation_failed')
})
