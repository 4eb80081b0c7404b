import { common, defineProblems, type FieldError, type Problem } from 'larder/kernel'

export const problems = defineProblems({
  bad_notification_link: [404, 'This link is invalid, has expired or was already used.'],
  form_full: [403, "This form can't take more responses at the moment. Please try again later."],
})

/** 422 with all invalid fields. @param prefix precedes each pointer. */
export const invalidFields = (prefix: string, errors: readonly FieldError[]): Problem =>
  common.validation_failed({}, { errors: errors.map(error => ({ ...error, pointer: prefix + error.pointer })) })
