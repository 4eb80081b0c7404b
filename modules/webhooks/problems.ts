import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  too_many_endpoints: [409, 'The limit of {limit} webhook endpoints is reached.'],
  endpoint_paused: [409, 'The webhook endpoint is paused. Resume it first.'],
  endpoint_deleted: [409, 'The webhook endpoint of this delivery was deleted.'],
  request_failed: [502, 'The request to {host} failed: {reason}.'],
  request_refused: [422, 'The request to {host} was refused: {reason}.'],
  invalid_request: [422, 'The request has an invalid {what}.'],
  secret_unreadable: [
    409,
    'The signing secret was encrypted with a LARDER_SECRET that is no longer configured. Rotate the signing secret.',
  ],
})
