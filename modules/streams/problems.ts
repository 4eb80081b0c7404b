import { common, defineProblems, type Problem } from 'larder/kernel'

export const problems = defineProblems({
  edge_refused: [401, 'The media edge sent no valid credential.'],
  too_many_sources: [409, 'A stream can have at most {limit} sources. Remove one first.'],
})

export const streamNotFound = (): Problem => common.not_found({ what: 'stream' })

export const isOver = (status: string): boolean => status === 'ended' || status === 'expired'

export const cannotChange = (status: string): Problem =>
  common.invalid_state({ reason: `The stream is ${status}: it cannot be changed any more.` })

/** 422 for what a schema cannot know: every such field at once. */
export const invalidFields = (errors: readonly { pointer: string; code: string; detail: string }[]): Problem =>
  common.validation_failed({}, { errors })

export const sourceNotFound = (): Problem => common.not_found({ what: 'source' })

export const tokenNotFound = (): Problem => common.not_found({ what: 'token' })
