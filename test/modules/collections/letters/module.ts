import { defineCollection, rowHooks } from '@larder-dev/larder/collections'
import { defineModule } from '../../../../kernel/index.ts'

export const requests = defineCollection({
  name: 'requests',
  fields: { email: { type: 'email' } },
  access: { read: { 'tenant.member': true } },
})
export const subscribers = defineCollection({
  name: 'subscribers',
  fields: { email: { type: 'email', required: true, unique: true } },
  access: { read: { 'tenant.member': true }, create: { 'tenant.member': true, anyone: true } },
})

/** A newsletter whose hook writes before the row of a visitor is written. */
export default defineModule({
  name: 'letters',
  needs: ['collections'],
  collections: [requests, subscribers],
  rowHooks: ({ collections }) => [
    rowHooks(subscribers, {
      async beforeCreate({ values: { email }, tenantId }) {
        await collections.rows(requests, { tenantId }).create({ email })
        return undefined
      },
    }),
  ],
})
