import { type Deps, type EventEnvelope, type Events, type Listener, listener } from '@larder-dev/larder/kernel'
import type { WebhookEventPayload } from './ports.ts'
import { SESSION_EVENTS } from './services/event-catalog.ts'
import { createPauseNotice } from './services/pause-notice.ts'
import type { WebhookServices } from './services.ts'

const TENANT_DELETED = 'identity.tenant.deleted'

type ListenerDeps = Deps<
  'database' | 'webhooks' | 'log' | 'product' | 'registry',
  'mailer' | 'people' | 'tenantDirectory'
> &
  Pick<WebhookServices, 'eventCatalog' | 'endpointEnqueuer'>

export function webhookListeners(deps: ListenerDeps): Listener[] {
  const { eventCatalog, endpointEnqueuer, webhooks } = deps
  const isSessionEvent = (type: string) => (SESSION_EVENTS as readonly string[]).includes(type)

  const enqueue = (type: string): Listener =>
    listener(
      type as keyof Events & string,
      async (events: readonly EventEnvelope<string, unknown>[]) => {
        const steps = [endpointEnqueuer.forTenants(events), endpointEnqueuer.forRecipe(events)]
        if (isSessionEvent(type)) steps.push(webhooks.enqueue(events as EventEnvelope<string, WebhookEventPayload>[]))
        await Promise.all(steps)
      },
      { batch: true },
    )

  return [
    ...eventCatalog
      .types()
      .filter(type => type !== TENANT_DELETED)
      .map(enqueue),
    // The endpoints of the tenant are deleted with it.
    listener(TENANT_DELETED, event => endpointEnqueuer.forRecipe([event])),
    listener('webhooks.endpoint.paused', createPauseNotice(deps)),
  ]
}
