/** Events in the operator's search: by their ID, their type, or the ID of the request that caused them. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

export const searchSources = ({ inspector }: Deps<'inspector'>): Registrations['search'] => [
  {
    name: 'events',
    title: 'Events',
    allow: 'platform.tenant.read_all',
    resource: 'platform.events',
    async find(words, limit) {
      const byId = words.startsWith('evt_') ? await inspector.events.get(words, null) : null
      const lists = byId
        ? []
        : await Promise.all(
            [{ type: words }, { correlationId: words }].map(filter =>
              inspector.events.list({ tenantId: null, ...filter, limit }),
            ),
          )
      const found = byId ? [byId] : lists.flatMap(({ data }) => data)
      return found
        .slice(0, limit)
        .map(({ id, type, occurredAt, tenantId }) => ({ id, title: type, detail: occurredAt, tenantId }))
    },
  },
]
