import { common, defineProblems, type Problem } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  edge_refused: [401, 'The media edge sent no valid credential.'],
  too_many_sources: [409, 'A stream can have at most {limit} sources. Remove one first.'],
})

export const streamNotFound = (): Problem => common.not_found({ what: 'stream' })

export const isFinished = (status: string): boolean => status === 'ended' || status === 'expired'

export const cannotChange = (status: string): Problem =>
  common.invalid_state({ reason: `A stream that is ${status} can't be changed.` })

export const sourceNotFound = (): Problem => common.not_found({ what: 'source' })
