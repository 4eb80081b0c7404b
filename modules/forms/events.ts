/** Events never contain entries: submissions can be deleted, events can't. */
import { Nullable, named, OneOf, publicEvent, Type } from '@larder-dev/larder/kernel'
import { ACCESS } from './domain/access.ts'

const Form = named(
  'FormEventData',
  Type.Object({
    formId: Type.String(),
    key: Nullable(Type.String()),
    name: Type.String(),
    access: OneOf(ACCESS),
    version: Type.Integer(),
  }),
)
const Submission = named(
  'SubmissionEventData',
  Type.Object({ formId: Type.String(), submissionId: Type.String(), formVersion: Type.Integer() }),
)

export const events = {
  'forms.form.created': publicEvent('A form was created.', Form),
  'forms.form.updated': publicEvent('A form was updated.', Form),
  'forms.form.deleted': publicEvent('A form was deleted.', Form),
  /** Not published for spam. */
  'forms.submission.created': publicEvent('A form was submitted. Spam is not reported.', Submission),
  'forms.submission.deleted': publicEvent('A submission was deleted.', Submission),
}
