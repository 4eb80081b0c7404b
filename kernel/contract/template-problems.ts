import { defineProblems } from '../base/index.ts'

export const templateProblems = defineProblems({
  unknown_template: [422, "There is no mail template '{template}'."],
  template_invalid: [422, 'This is no mail template: see errors.'],
  template_failed: [422, "The mail template '{template}' cannot be filled: {reason}."],
})
