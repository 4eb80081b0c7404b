import { defineProblems } from 'larder/kernel'

export const problems = defineProblems({
  invalid_address: [422, "'{address}' is not one bare mail address."],
  link_in_data: [422, 'Data that comes by the API holds no {key}: only modules make signed links.'],
  message_not_retryable: [409, 'This message is {status}: only a failed, bounced or suppressed one is sent again.'],
  still_suppressed: [409, 'Mail to {address} is suppressed. Take it off the suppression list first.'],
  bad_unsubscribe_link: [404, 'This link ends no subscription. Open the newest mail, and its link whole.'],
  not_overridden: [404, "There is no own text of '{template}' in this language."],
})
