import { type Deps, defineModule, listener } from '../../kernel/index.ts'
import { defineCollection, rowHooks } from '../../modules/collections/domain/declarations/define-collection.ts'
import { books } from './right-collections.ts'

const fields = { title: { type: 'text' } } as const
// expect: TS2820 a field has an unknown type
export const a = defineCollection({ name: 'x', fields: { title: { type: 'txt' } } })
// expect: TS2322 a field has an option of another type
export const b = defineCollection({ name: 'x', fields: { title: { type: 'text', currency: 'EUR' } } })
// expect: TS2322 an amount of money has no currency
export const c = defineCollection({ name: 'x', fields: { price: { type: 'money' } } })
// expect: TS2322 the search covers an unknown field
export const d = defineCollection({ name: 'x', fields, search: ['titel'] })
// expect: TS2561 a rule of access names an unknown field
export const e = defineCollection({ name: 'x', fields, access: { read: { anyone: { titel: 'a' } } } })
// expect: TS2561 a collection has an unknown key
export const f = defineCollection({ name: 'x', fields, acess: {} })
// expect: TS2322 a module lists something else as a collection
export const g = defineModule({ name: 'x', collections: [3] })
// expect: TS2561 a hook is misspelled
export const h = rowHooks(books, { beforCreate: () => undefined })
// expect: TS2551 a hook reads a field that the collection does not have
export const i = rowHooks(books, { afterCreate: ({ row }) => void row.titel })
// expect: TS2322 a hook sets a value of the wrong type
export const j = rowHooks(books, { beforeCreate: () => ({ price: '3' }) })
// expect: TS2322 a hook sets a computed field
export const k = rowHooks(books, { compute: () => ({ gross: 3 }) })
// expect: TS2345 a hook compares with a field that the collection does not have
export const l = rowHooks(books, { afterUpdate: ({ changed }) => void changed.includes('titel') })
// expect: TS2322 a hook reports a mistake of a field that the collection does not have
export const m = rowHooks(books, { validate: () => ({ titel: 'is wrong' }) })
// expect: TS2561 a row is created with an unknown field
export const n = ({ collections }: Deps<'collections'>) =>
  collections.rows(books, { tenantId: '' }).create({ title: '', isbn: '', author: '', titel: '' })
// expect: TS2741 a row is created without a required field
export const o = ({ collections }: Deps<'collections'>) =>
  collections.rows(books, { tenantId: '' }).create({ title: '', isbn: '' })
// expect: TS2353 a change sets a field that is written once
export const p = ({ collections }: Deps<'collections'>) =>
  collections.rows(books, { tenantId: '' }).update('', { isbn: '' })
// expect: TS2339 a listener reads a private field of an event
export const q = listener('collections.books.created', async ({ payload }) => void payload.row.secret)
// expect: TS2339 a hook reads a field that the collection of the recipe does not have
export const recipeRead = rowHooks('topics', { afterCreate: ({ row }) => void row.missing })
// expect: TS2322 a hook sets a value of the wrong type in the collection of the recipe
export const recipeSet = rowHooks('topics', { beforeCreate: () => ({ name: 3 }) })
// expect: TS2339 a listener reads a field that the collection of the recipe does not have
export const recipeEvent = listener('collections.topics.created', async ({ payload }) => void payload.row.missing)
