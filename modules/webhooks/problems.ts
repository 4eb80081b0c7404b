import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  too_many_endpoints: [409, 'The limit of {limit} webhook endpoints is reached.'],
  endpoint_paused: [409, 'The webhook endpoint is paused. Resume it first.'],
  endpoint_deleted: [409, 'The webhook endpoint of this delivery was deleted.'],
  secret_unreadable: [
    409,
    'The signing secret was encrypted with a LARDER_SECRET that is no longer configured. Rotate the signing secret.',
  ],
})
