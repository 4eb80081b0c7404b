import { defineOperatorErrors } from '@larder-dev/larder/kernel/internal'

/** Errors of the job queue that the operator has to resolve. */
export const operatorErrors = defineOperatorErrors({
  jobs_backend_timeout: [
    '{backend} did not respond within {seconds} s.',
    'Check JOBS_BACKEND and that its server is running. Recurring jobs start once it responds.',
  ],
  jobs_redis_disconnected: [
    'The connection to Redis ended, so recurring jobs may be missing.',
    'They are registered again once Redis is available.',
  ],
})
