import { inEnglish, isRecord, originOf, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { schemaTexts, uiTexts, unknownLanguages } from '../domain/local-texts.ts'
import type { SchemaError } from '../domain/schema-error.ts'
import type { Path } from '../domain/schema-traversal.ts'
import { validateSchema, validateUiSchema } from '../domain/schema-validation.ts'
import type { FormsOptions } from '../options.ts'
import { validateFields } from './field-validation.ts'
import { formTargetsOf, validateInto } from './into-validation.ts'
import type { RecipeForm, Sections } from './sections.ts'

/** Validates the schemas of forms, so that the check of a recipe reports their errors with line numbers. */
export function validate(recipe: ValidatedRecipe<FormsOptions, Sections>): readonly RecipeDiagnostic[] {
  const { sections, locales, complete } = recipe
  const forms = Object.entries(sections.forms ?? {})
  const needsTargets = forms.some(([, { into }]) => into) && complete && recipe.isValid(['collections'])
  const targets = needsTargets ? formTargetsOf(recipe) : undefined
  return forms.flatMap(([key, form]) => {
    const path = ['forms', key]
    const faults = validateForm(form, path, locales.available)
    const isSound = faults.every(({ severity }) => severity === 'warning')
    return isSound && needsTargets ? [...faults, ...validateInto(form, form.schema, path, targets)] : faults
  })
}

function validateForm(
  { schema, uiSchema, allowedOrigins = [] }: RecipeForm,
  form: readonly string[],
  languages: readonly string[],
): RecipeDiagnostic[] {
  const toFault = (field: string, { path, detail }: SchemaError): RecipeDiagnostic => ({
    path: [...form, field, ...path],
    message: `${[field, ...path].join('.')} ${inEnglish(detail)}`,
  })
  const invalidOrigins = [...allowedOrigins.entries()].filter(([, origin]) => !originOf(origin))
  const unknownLanguage = (field: string, path: Path): RecipeDiagnostic => ({
    path: [...form, field, ...path],
    at: 'key',
    message: `'${path.at(-1)}' is not a language of this product`,
    hint: `languages are ${languages.join(', ')}`,
    ownFilesOnly: true,
  })
  const schemaFaults = validateSchema(schema).map(error => toFault('schema', error))
  const uiFaults = uiSchema ? validateUiSchema(uiSchema).map(error => toFault('uiSchema', error)) : []
  return [
    ...schemaFaults,
    ...(schemaFaults.length === 0 && isRecord(schema)
      ? validateFields(schema, isRecord(uiSchema) ? uiSchema : undefined, form)
      : []),
    ...uiFaults,
    ...(schemaFaults.length === 0
      ? unknownLanguages(schema, schemaTexts, languages).map(path => unknownLanguage('schema', path))
      : []),
    ...(uiSchema && uiFaults.length === 0
      ? unknownLanguages(uiSchema, uiTexts, languages).map(path => unknownLanguage('uiSchema', path))
      : []),
    ...invalidOrigins.map(([index, origin]) => ({
      path: [...form, 'allowedOrigins', index],
      message: `'${origin}' is not an origin`,
      hint: 'write it as https://shop.example',
    })),
  ]
}
