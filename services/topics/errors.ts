/** Errors of the socket, as `error` frames. */
import {
  type Deps,
  type FrameError,
  inEnglish,
  missingPermission,
  Problem,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel/internal'

/** Reported to the client in an `error` frame; the socket stays open. */
export class FrameProblem extends Error {
  readonly code: string
  readonly wording: Wording
  readonly retryable: boolean

  constructor(code: string, text: Wording, retryable = false) {
    super(inEnglish(text))
    this.wording = text
    this.code = code
    this.retryable = retryable
  }
}

export const refusals = {
  unauthenticated: () =>
    new FrameProblem('unauthenticated', wording('Anonymous clients may not subscribe to this topic.')),
  forbidden: missingPermission,
  not_found: () => new FrameProblem('not_found', wording("This doesn't exist, or you may not read it.")),
}

/** A problem of a module keeps its code; any other error is logged. */
export function errorOf(error: unknown, log: Deps<'log'>['log']): FrameError {
  if (error instanceof FrameProblem) return { code: error.code, message: error.wording, retryable: error.retryable }
  if (Problem.is(error))
    return { code: error.code, message: error, retryable: error.status === 429 || error.status >= 500 }
  log.error({ err: error }, 'failed to handle a frame of the realtime socket')
  return { code: 'internal', message: wording('Something went wrong on our end.'), retryable: true }
}
