import { listOf, route } from '@larder-dev/larder/kernel'
import { ListedProblem } from '../records/problem.ts'
import type { Diagnosis } from '../services/diagnosis.ts'

export const problemRoutes = ({ diagnosis }: { readonly diagnosis: Diagnosis }) => [
  route({
    method: 'get',
    path: '/platform/problems',
    operationId: 'listInstallationProblems',
    summary: 'Lists what is wrong with the servers that the recipe names, such as a payment provider or a media edge.',
    description: 'The same as `larder doctor`. At most a minute old.',
    allow: 'platform.module.configure',
    replies: { 200: listOf(ListedProblem) },
    handle: async () => ({ data: [...(await diagnosis.list())], nextCursor: null }),
  }),
]
