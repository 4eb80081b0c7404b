/** The same words used rightly: no error here, or the mistakes would prove nothing. */
import { type Deps, defineModule, defineProblems, job, listener, route, Type } from '../../kernel/index.ts'
import type {} from './ports.ts'

const problems = defineProblems({ closed: [409, 'Visit {id} closed on {date}.'] })
const routes = ({ greeter, postbox }: Deps<'greeter', 'postbox'>) => [
  route({
    method: 'get',
    path: '/visits/:id/notes/:note',
    allow: 'visits.visit.read',
    replies: { 200: Type.String() },
    async handle({ params, caller, tenantId }) {
      await postbox?.send(tenantId.trim())
      if (caller.userId === '') throw problems.closed({ id: params.id, date: params.note })
      return greeter.greet(params.note)
    },
  }),
]
export default defineModule({
  name: 'visits',
  needs: ['greeter'],
  optional: ['postbox'],
  permissions: { 'visits.visit.read': 'Read visits', 'visits.visit.write': 'Write visits' },
  roles: { 'tenant.clerk': { name: 'Clerk', permissions: ['visits.visit.read', 'visits.*'] } },
  events: { 'visits.visit.made': Type.Object({ visitId: Type.String() }) },
  routes,
  listeners: ({ greeter }) => [
    listener('visits.visit.made', async ({ tenantId, payload }) => {
      await greeter.greet(tenantId + payload.visitId)
    }),
  ],
  jobs: () => [job('visits.digest', { every: '1d', run: async ({ since }) => void since.trim() })],
})
