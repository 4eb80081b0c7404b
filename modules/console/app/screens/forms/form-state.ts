/** What the editor holds of a form, and its values as the API reads them. Pure. */
import type { FormValues } from '../../data/form-model.ts'
import { toModel, toSchemas } from './form-schema.ts'
import type { FormModel, Json } from './questions.ts'

export interface FormRecord {
  readonly id: string
  readonly name: string
  readonly access: string
  readonly schema: Json
  readonly uiSchema: Json | null
  readonly notify: readonly string[]
  readonly recipients: readonly { readonly address: string; readonly state: string }[]
  readonly allowedOrigins: readonly string[]
  readonly version: number
  readonly url: string
  readonly managedBy: string | null
}
export interface FormState {
  readonly name: string
  readonly access: string
  /** One a line. */
  readonly notify: string
  readonly origins: string
  readonly model: FormModel
}

export const stateOf = (record: FormRecord | undefined): FormState => ({
  name: record?.name ?? '',
  access: record?.access ?? 'public',
  notify: record?.notify.join('\n') ?? '',
  origins: record?.allowedOrigins.join('\n') ?? '',
  model: toModel(record?.schema ?? { type: 'object', additionalProperties: false }, record?.uiSchema ?? null),
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
