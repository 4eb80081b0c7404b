import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  bad_notification_link: [404, 'This link is invalid, has expired or was already used.'],
  row_refused: [409, 'The form could not be sent, because it creates a row that was refused: {reason}'],
  form_full: [403, "This form can't take more submissions at the moment. Please try again later."],
})
