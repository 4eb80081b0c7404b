import { type Deps, job } from '@larder-dev/larder/kernel'

export const jobs = ({ contentServices, operator }: Deps<'contentServices' | 'operator'>) => [
  job('content.publish', {
    run: ({ pageId }, { tenantId }) => contentServices.publishing.publishDue(tenantId ?? operator.tenantId, pageId),
  }),
]
