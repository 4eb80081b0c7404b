/** What automations can do with forms. */
import { action, Nullable, secretValue, Type } from '@larder-dev/larder/kernel'
import type { FormServices } from './services.ts'

const Id = (description: string, example: string) => Type.String({ maxLength: 64, description, examples: [example] })

export const actions = {
  read: action({
    title: { en: 'Read a submission', de: 'Einsendung lesen' },
    description: {
      en: 'Reads what somebody submitted, which events lack; runs do not show it',
      de: 'Liest, was jemand eingesendet hat und Ereignisse nicht enthalten; Läufe zeigen es nicht',
    },
    input: Type.Object(
      {
        form: Id('ID of the form', '$event.payload.formId'),
        submission: Id('ID of the submission', '$event.payload.submissionId'),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      key: Nullable(Type.String({ description: 'Key of the form in the recipe' })),
      name: Type.String({ description: 'Name of the form' }),
      data: secretValue(Type.Record(Type.String(), Type.Unknown(), { description: 'The entry' })),
    }),
    effects: 'database',
    async run(
      { formListing, submissions }: Pick<FormServices, 'formListing' | 'submissions'>,
      { form, submission },
      { tenantId },
    ) {
      const [{ key, name }, { data }] = await Promise.all([
        formListing.get(tenantId, form),
        submissions.get(tenantId, form, submission),
      ])
      return { key, name, data }
    },
  }),
}
