import { common, defineProblems, defineReasons, type Problem } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  edge_refused: [401, 'The media edge sent no valid credential.'],
  too_many_sources: [409, 'A stream can have at most {limit} sources. Remove one first.'],
})

export const streamNotFound = (): Problem => common.not_found({ what: 'stream' })

export const isFinished = (status: string): boolean => status === 'ended' || status === 'expired'

export const stateProblems = defineReasons(common.invalid_state, {
  finished: "This stream has ended and can't be changed.",
  chat_over: 'This stream has ended, and so has its chat.',
  waiting: "The session hasn't been accepted yet.",
})

export const sourceNotFound = (): Problem => common.not_found({ what: 'source' })
