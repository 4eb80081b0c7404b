/** Payloads of the events that forms publishes. What somebody wrote is not in them: it can be deleted, they cannot. */
import { Nullable, OneOf, Type } from 'larder/kernel'
import { ACCESS } from './routes/form-schemas.ts'

const Form = Type.Object({
  formId: Type.String(),
  key: Nullable(Type.String()),
  name: Type.String(),
  access: OneOf(ACCESS),
  version: Type.Integer(),
})
const Submission = Type.Object({ formId: Type.String(), submissionId: Type.String(), formVersion: Type.Integer() })

export const events = {
  'forms.form.created': Form,
  'forms.form.updated': Form,
  'forms.form.deleted': Form,
  'forms.submission.created': Submission,
  'forms.submission.deleted': Submission,
}
