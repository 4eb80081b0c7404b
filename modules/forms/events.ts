/** Events never contain entries: submissions can be deleted, events can't. */
import { Nullable, OneOf, Type } from 'larder/kernel'
import { ACCESS } from './domain/access.ts'

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
  /** Not published for spam. */
  'forms.submission.created': Submission,
  'forms.submission.deleted': Submission,
}
