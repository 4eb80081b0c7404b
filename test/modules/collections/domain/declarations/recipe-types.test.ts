import test from 'ava'
import { normalizeAll } from '../../../../../modules/collections/domain/declarations/normalize.ts'
import { recipeTypes } from '../../../../../modules/collections/domain/declarations/recipe-types.ts'

const typesOf = (fields: Parameters<typeof normalizeAll>[0][string]['fields'], from = 'recipe') =>
  recipeTypes(normalizeAll({ courses: { fields } }, { from, resolveFile: (_, file) => file }))

test('writes the options that the types of values depend on', t => {
  t.is(
    typesOf({
      title: { type: 'text', required: true, maxLength: 50 },
      slug: { type: 'slug', from: 'title', unique: true },
      level: { type: 'enum', values: ['a', "b's"], default: 'a' },
      price: { type: 'money', currency: 'EUR', readOnly: true },
      tags: { type: 'reference', to: 'courses', many: true },
      outline: { type: 'json', default: { a: 1 } },
      gross: { type: 'computed', expression: 'price * 2', of: 'integer' },
    }),
    `/** Fields of the recipe's collections, for hooks and rows in code: \`interface RecipeCollections\` of \`@larder-dev/larder/collections\`. */
export interface RecipeCollections {
  readonly courses: {
    readonly fields: {
      readonly title: { readonly type: "text"; readonly required: true }
      readonly slug: { readonly type: "slug"; readonly from: "title" }
      readonly level: { readonly type: "enum"; readonly default: "a"; readonly values: readonly ["a", "b's"] }
      readonly price: { readonly type: "money"; readonly readOnly: true; readonly currency: "EUR" }
      readonly tags: { readonly type: "reference"; readonly to: "courses"; readonly many: true }
      readonly outline: { readonly type: "json"; readonly default: unknown }
      readonly gross: { readonly type: "computed"; readonly expression: "price * 2"; readonly of: "integer" }
    }
  }
}`,
  )
})

test('writes defaults and sequences, which new rows leave out', t => {
  const types = typesOf({
    number: { type: 'text', sequence: 'T-{0}' },
    at: { type: 'datetime', required: true, default: '$now' },
    due: { type: 'date', default: { expression: 'today() + 1' } },
  })
  t.regex(types ?? '', /readonly number: \{ readonly type: "text"; readonly sequence: "T-\{0\}" \}/)
  t.regex(
    types ?? '',
    /readonly at: \{ readonly type: "datetime"; readonly required: true; readonly default: "\$now" \}/,
  )
  t.regex(types ?? '', /readonly due: \{ readonly type: "date"; readonly default: \{"expression":"today\(\) \+ 1"\} \}/)
})

test('writes the transitions between states, which have events', t => {
  t.regex(
    typesOf({ status: { type: 'enum', values: ['a', 'b'], default: 'a', transitions: { a: ['b'] } } }) ?? '',
    /readonly values: readonly \["a", "b"\]; readonly transitions: \{"a":\["b"\]\}/,
  )
})

test('leaves out collections of modules, whose declarations are types already', t => {
  t.is(typesOf({ title: { type: 'text' } }, 'catalog'), undefined)
})
