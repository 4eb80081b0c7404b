import { defineProblems } from '../problem.ts'

export const templateProblems = defineProblems({
  unknown_template: [422, "There is no mail template '{template}'."],
  template_failed: [422, "The mail template '{template}' cannot be filled: {reason}."],
})
