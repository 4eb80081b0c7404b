import { type Deps, type Job, type JobContext, job, MINUTE, Problem } from 'larder/kernel'

type JobDeps = Deps<'media' | 'operator'>

export function mediaJobs({ media, operator }: JobDeps): Job[] {
  const { closing, processing, storage } = media
  const tenantOf = ({ tenantId }: JobContext) => tenantId ?? operator.tenantId
  return [
    job('media.process', {
      timeout: 30 * MINUTE,
      concurrency: 4,
      async run({ mediaId }, context) {
        try {
          await processing.process(tenantOf(context), mediaId, context.signal)
        } catch (error) {
          // It was deleted, or has expired: there is nothing to do any more.
          if (!Problem.is(error) || error.status >= 500) throw error
        }
      },
    }),
    job('media.close', { run: ({ mediaId }, context) => closing.close(tenantOf(context), mediaId) }),
    job('media.discard', { run: ({ keys }) => storage.remove(keys) }),
    job('media.sweep', { every: '10s', run: () => closing.sweep() }),
  ]
}
