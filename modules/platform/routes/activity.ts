import { consoleLocale, type Deps, listOf, route, Type } from '@larder-dev/larder/kernel'
import { ActivityEntry } from '../records/activity-entry.ts'
import type { Activity } from '../services/activity.ts'

const MAX_ENTRIES = 50
const DEFAULT_ENTRIES = 8

export const activityRoutes = ({ activity, product }: Deps<'product'> & { readonly activity: Activity }) => [
  route({
    method: 'get',
    path: '/platform/activity',
    operationId: 'listActivity',
    summary: 'Lists what people did in the current workspace, newest first.',
    description:
      'Names records that the caller may read. Sentences are in the language of `Accept-Language`. What is in the audit log is there only. Events are kept for 14 days.',
    allow: 'user',
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ENTRIES, default: DEFAULT_ENTRIES })),
    }),
    replies: { 200: listOf(ActivityEntry) },
    handle: async ({ query: { limit = DEFAULT_ENTRIES }, caller, tenantId, request }) => ({
      data:
        tenantId === undefined
          ? []
          : await activity.list({ caller, tenantId, locale: consoleLocale(request, product) }, limit),
      nextCursor: null,
    }),
  }),
]
