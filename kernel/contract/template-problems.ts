import { defineProblems, FieldErrors } from '../base/index.ts'

export const templateProblems = defineProblems({
  unknown_template: [422, "No email template has the key '{template}'."],
  template_invalid: [422, 'The email template is invalid; see `errors`.', { errors: FieldErrors }],
  template_failed: [422, "The email template '{template}' can't be rendered: {reason}.", { errors: FieldErrors }],
})
