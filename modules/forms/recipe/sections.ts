import { type Static, Type } from '@larder-dev/larder/kernel'
import { FormKey, NewForm } from '../records/form.ts'

const RecipeForm = Type.Object(NewForm.properties, { additionalProperties: false })
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
