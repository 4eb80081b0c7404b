import { type Deps, type JobContext, job, MINUTE, Problem } from '@larder-dev/larder/kernel'
import type { MediaServices } from './services.ts'

type JobDeps = Deps<'operator'> & Pick<MediaServices, 'lifecycle' | 'processing'>

export function jobs({ operator, lifecycle, processing }: JobDeps) {
  const tenantOf = ({ tenantId }: JobContext) => tenantId ?? operator.tenantId
  return [
    job('media.process', {
      timeout: 30 * MINUTE,
      concurrency: 4,
      async run({ mediaId }, context) {
        try {
          await processing.process(tenantOf(context), mediaId, context.signal)
        } catch (error) {
          // The item was deleted or has expired in the meantime.
          if (!Problem.is(error) || error.status >= 500) throw error
        }
      },
    }),
    job('media.close', { run: ({ mediaId }, context) => lifecycle.close(tenantOf(context), mediaId) }),
    job('media.discard', { run: ({ keys }, context) => lifecycle.discard(tenantOf(context), keys) }),
    job('media.sweep', { every: '10s', run: () => lifecycle.sweep() }),
  ]
}
