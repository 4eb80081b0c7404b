import test from 'ava'
import { misfits } from '../../../../../modules/collections/domain/changes/fit.ts'
import type { DeclaredCollection } from '../../../../../modules/collections/domain/declarations/declaration.ts'
import { normalizeAll } from '../../../../../modules/collections/domain/declarations/normalize.ts'
import { layoutOf } from '../../../../../modules/collections/domain/tables/layout.ts'

type Fields = DeclaredCollection['fields']
function layouts(fields: Fields, more: Omit<DeclaredCollection, 'fields'> = {}) {
  const collections = normalizeAll(
    { courses: { fields, ...more } },
    { from: 'recipe', resolveFile: (_path, file) => file },
  )
  return [...collections.values()].map(collection => layoutOf(collection, collections))
}
const misfitsOf = (own: Fields, applied: Fields) => misfits(layouts(own), { layouts: layouts(applied), expansions: [] })
const TITLE = { title: { type: 'text' } } as const

test('a recipe fits tables with more optional fields, and required ones with a default', t => {
  t.deepEqual(misfitsOf(TITLE, { ...TITLE, note: { type: 'text' } }), [])
  t.deepEqual(misfitsOf(TITLE, { ...TITLE, level: { type: 'text', required: true, default: 'low' } }), [])
})

test('a recipe does not fit tables without a field, with another type, or with a field that it must fill', t => {
  t.deepEqual(misfitsOf({ ...TITLE, note: { type: 'text' } }, TITLE), ['field courses.note is not stored'])
  t.deepEqual(misfitsOf(TITLE, { title: { type: 'integer' } }), ['field courses.title has another type'])
  t.deepEqual(misfitsOf(TITLE, { ...TITLE, level: { type: 'text', required: true } }), [
    'field courses.level is required',
  ])
})

test('a recipe does not fit tables without its collection or its search', t => {
  t.deepEqual(misfits(layouts(TITLE), { layouts: [], expansions: [] }), ['collection courses has no table'])
  const searched = layouts(TITLE, { search: ['title'] })
  t.deepEqual(misfits(searched, { layouts: layouts(TITLE), expansions: [] }), ['collection courses has no search'])
})
