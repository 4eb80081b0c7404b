import { type Deps, job } from '@larder-dev/larder/kernel'
import type { ContentServices } from './services.ts'

export const jobs = ({ publishing, operator }: Deps<'operator'> & Pick<ContentServices, 'publishing'>) => [
  job('content.publish', {
    run: ({ pageId }, { tenantId }) => publishing.publishDue(tenantId ?? operator.tenantId, pageId),
  }),
]
