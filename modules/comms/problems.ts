import { common, defineProblems, defineReasons } from '@larder-dev/larder/kernel'
import { defineOperatorErrors, FieldErrors } from '@larder-dev/larder/kernel/internal'

export const problems = defineProblems({
  invalid_address: [422, "'{address}' isn't a valid email address.", { errors: FieldErrors }],
  link_in_data: [422, "Template data from the API can't contain {key}.", { errors: FieldErrors }],
  message_not_retryable: [409, 'This message is {status}. Only failed, bounced or suppressed messages can be resent.'],
  still_suppressed: [409, '{address} is blocked. Unblock it first.'],
  bad_unsubscribe_link: [404, 'This unsubscribe link is invalid. Use the link in your most recent email.'],
  template_not_sendable: [403, "Only the product sends '{template}'. Use a template that is `sendable`."],
  override_not_allowed: [
    422,
    'An override of a product email must keep its links and add none; see `errors`.',
    { errors: FieldErrors },
  ],
  not_overridden: [404, "'{template}' has no override in this language."],
})

export const malformed = defineReasons(common.malformed, {
  events: 'The body is not an array of events.',
})

/** Errors that stop a start. */
export const operatorErrors = defineOperatorErrors({
  smtp_url_missing: [
    'The mail transport is `smtp`, but no server is set.',
    'Set `smtp.url` in the options of comms, or SMTP_URL.',
  ],
})
