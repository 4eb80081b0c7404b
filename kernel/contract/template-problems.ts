import { defineProblems } from '../base/index.ts'

export const templateProblems = defineProblems({
  unknown_template: [422, "Mail template '{template}' doesn't exist."],
  template_invalid: [422, 'The mail template is invalid; see `errors`.'],
  template_failed: [422, "Mail template '{template}' can't be rendered: {reason}."],
})
