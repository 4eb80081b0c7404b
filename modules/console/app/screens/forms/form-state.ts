/** What the editor holds of a form, and its values as the API reads them. Pure. */
import type { Api, FormValues } from '../../public.ts'
import { toModel, toSchemas } from './form-schema.ts'
import type { FormModel, Json } from './questions.ts'

export interface FormState {
  readonly name: string
  readonly access: string
  /** One a line. */
  readonly notify: string
  readonly origins: string
  readonly model: FormModel
}

/** The API document doesn't describe the schemas of forms. */
export const modelOf = ({ schema, uiSchema }: Pick<Api.Form, 'schema' | 'uiSchema'>): FormModel =>
  toModel(schema as Json, uiSchema as Json | null)

export const stateOf = (record: Api.Form | undefined): FormState => ({
  name: record?.name ?? '',
  access: record?.access ?? 'public',
  notify: record?.notify.join('\n') ?? '',
  origins: record?.allowedOrigins.join('\n') ?? '',
  model: modelOf(record ?? { schema: { type: 'object', additionalProperties: false }, uiSchema: null }),
})

export function valuesOf({ name, access, notify, origins, model }: FormState): FormValues {
  const { schema, uiSchema } = toSchemas(model)
  return {
    name,
    access,
    schema: JSON.stringify(schema, null, 2),
    uiSchema: JSON.stringify(uiSchema, null, 2),
    notify: linesOf(notify),
    allowedOrigins: linesOf(origins),
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

/** The other way round, after a merge of two people's changes. */
export function mergedState(values: FormValues): FormState {
  const texts = (name: string) => (values[name] as readonly string[]).join('\n')
  return {
    name: String(values.name),
    access: String(values.access),
    notify: texts('notify'),
    origins: texts('allowedOrigins'),
    model: toModel(JSON.parse(String(values.schema)) as Json, JSON.parse(String(values.uiSchema)) as Json | null),
  }
}
