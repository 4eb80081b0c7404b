import { isRecord, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { originOf } from '../domain/origin.ts'
import type { SchemaError } from '../domain/schema-error.ts'
import { validateSchema, validateSize } from '../domain/schema-validation.ts'
import type { FormsOptions } from '../options.ts'
import { validateFields } from './field-validation.ts'
import type { RecipeForm, Sections } from './sections.ts'

/** Validates the schemas of forms, so that the check of a recipe reports their errors with line numbers. */
export const validate = ({ sections }: ValidatedRecipe<FormsOptions, Sections>): readonly RecipeDiagnostic[] =>
  Object.entries(sections.forms ?? {}).flatMap(([key, form]) => validateForm(form, ['forms', key]))

function validateForm(
  { schema, uiSchema, allowedOrigins = [] }: RecipeForm,
  form: readonly string[],
): RecipeDiagnostic[] {
  const toFault = (field: string, { path, detail }: SchemaError): RecipeDiagnostic => ({
    path: [...form, field, ...path],
    message: `${[field, ...path].join('.')} ${detail}`,
  })
  const invalidOrigins = [...allowedOrigins.entries()].filter(([, origin]) => !originOf(origin))
  const schemaFaults = validateSchema(schema).map(error => toFault('schema', error))
  return [
    ...schemaFaults,
    ...(schemaFaults.length === 0 && isRecord(schema)
      ? validateFields(schema, isRecord(uiSchema) ? uiSchema : undefined, form)
      : []),
    ...(uiSchema ? validateSize(uiSchema).map(error => toFault('uiSchema', error)) : []),
    ...invalidOrigins.map(([index, origin]) => ({
      path: [...form, 'allowedOrigins', index],
      message: `'${origin}' is not an origin`,
      hint: 'write it as https://shop.example',
    })),
  ]
}
