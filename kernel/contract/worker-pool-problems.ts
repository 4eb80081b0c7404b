import { defineProblems, Type } from '../base/index.ts'

/** The problems of `workerPool`, for the field `problems` of a module that uses it. */
export const workerPoolProblems = defineProblems({
  limit_exceeded: [422, 'Processing this input exceeds a limit: {reason}. Simplify it.', { reason: Type.String() }],
  worker_pool_busy: [503, 'Too many requests are being processed. Try again in {seconds} s.'],
})
