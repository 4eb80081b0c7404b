/** Errors of the socket, as `error` frames. */
import { type Deps, type FieldError, type FrameError, Problem } from '@larder-dev/larder/kernel/internal'

/** Reported to the client in an `error` frame; the socket stays open. */
export class FrameProblem extends Error {
  readonly code: string
  readonly retryable: boolean

  constructor(code: string, message: string, retryable = false) {
    super(message)
    this.code = code
    this.retryable = retryable
  }
}

export const refusals = {
  unauthenticated: () => new FrameProblem('unauthenticated', 'Anonymous clients may not subscribe to this topic.'),
  forbidden: (allow: string) => new FrameProblem('forbidden', `Requires the permission ${allow}.`),
  not_found: () => new FrameProblem('not_found', "This doesn't exist, or you may not read it."),
}

/** Without the wording. */
const toReply = ({ pointer, code, detail }: FieldError) => ({ pointer, code, detail })

/** A problem of a module keeps its code; any other error is logged. */
export function errorOf(error: unknown, log: Deps<'log'>['log']): FrameError & { readonly errors?: unknown } {
  if (error instanceof FrameProblem) return { code: error.code, message: error.message, retryable: error.retryable }
  if (Problem.is(error)) {
    const { errors } = error.extras as { readonly errors?: readonly FieldError[] }
    const retryable = error.status === 429 || error.status >= 500
    return { code: error.code, message: error.message, retryable, ...(errors && { errors: errors.map(toReply) }) }
  }
  log.error({ err: error }, 'failed to handle a frame of the realtime socket')
  return { code: 'internal', message: 'Something went wrong on our end.', retryable: true }
}
