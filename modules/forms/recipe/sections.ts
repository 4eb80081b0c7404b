import { type Static, Type } from '@larder-dev/larder/kernel'
import { FormKey, NewForm } from '../records/form.ts'

const Into = Type.Object(
  {
    collection: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Collection of the rows',
      examples: ['tickets'],
    }),
    map: Type.Record(Type.String({ maxLength: 100 }), Type.String({ minLength: 1, maxLength: 200 }), {
      minProperties: 1,
      maxProperties: 100,
      description: 'Field of the row → field of the form; a nested one as address.city',
      examples: [{ subject: 'title' }],
    }),
  },
  { additionalProperties: false, description: 'Each submission that is not spam creates a row' },
)
export type Into = Static<typeof Into>

const RecipeForm = Type.Object({ ...NewForm.properties, into: Type.Optional(Into) }, { additionalProperties: false })
export type RecipeForm = Static<typeof RecipeForm>

export const sections = {
  forms: Type.Unsafe<Record<string, RecipeForm>>({
    type: 'object',
    propertyNames: FormKey,
    additionalProperties: RecipeForm,
    description: 'Forms of the operator by key, each shown at /forms/<key>',
  }),
}
export type Sections = { [K in keyof typeof sections]: Static<(typeof sections)[K]> }
