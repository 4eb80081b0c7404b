/** The number of emails that wait for an attempt, over all tenants and processes. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

export const mailMetrics = ({ jobActivity }: Deps<'jobActivity'>): Registrations['metrics'] => [
  {
    name: 'larder_mails_waiting',
    help: 'Emails that wait for their first or next attempt. Every process reports the total of all processes',
    type: 'gauge',
    async read() {
      const deliveries = (await jobActivity.counts()).find(({ name }) => name === 'comms.deliver')
      return [{ labels: {}, value: deliveries ? deliveries.waiting + deliveries.running : 0 }]
    },
  },
]
