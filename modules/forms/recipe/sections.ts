/** The top-level part of a recipe that forms owns. */
import { type Static, Type } from 'larder/kernel'
import { Key, NewForm } from '../routes/form-schemas.ts'

const RecipeForm = Type.Object(NewForm.properties, { additionalProperties: false })
export type RecipeForm = Static<typeof RecipeForm>

export const sections = {
  /** Key → form. */
  forms: Type.Unsafe<Record<string, RecipeForm>>({
    type: 'object',
    propertyNames: Key,
    additionalProperties: RecipeForm,
    description: 'Forms of the operator by their key; each is shown at /forms/<key>',
  }),
}
export type Sections = { forms: Record<string, RecipeForm> }
