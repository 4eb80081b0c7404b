/** Emails the owners of a workspace that one of its endpoints was paused automatically. */
import type { Deps, Event } from '@larder-dev/larder/kernel'
import { displayUrl } from '../domain/endpoint.ts'
import { endpointTable } from '../records/endpoint.ts'

export function createPauseNotice(
  deps: Deps<'database' | 'log' | 'product' | 'registry', 'mailer' | 'people' | 'tenantDirectory'>,
) {
  const { database, log, mailer, people, product, registry, tenantDirectory } = deps
  /** Undefined if the product has no console. */
  const pageOf = (slug: string, endpointId: string): string | undefined =>
    registry.declared().some(({ key }) => key === 'console')
      ? `${product.publicUrl}/console/${slug}/webhooks/endpoints/${endpointId}`
      : undefined

  return async ({ id, tenantId, payload }: Event<'webhooks.endpoint.paused'>): Promise<void> => {
    const { endpointId, reason } = payload
    log.warn({ tenantId, endpoint: endpointId, reason }, 'a webhook endpoint was paused')
    const endpoint = await endpointTable.find(database.tenant(tenantId), { id: endpointId })
    if (!endpoint || !mailer || !people || !tenantDirectory) return
    const { name, slug } = await tenantDirectory.get(tenantId)
    const data = {
      workspace: name,
      endpoint: displayUrl(endpoint.url),
      description: endpoint.description ?? '',
      endpointId,
      gone: reason === 'gone',
      page: pageOf(slug, endpointId) ?? '',
    }
    for (const { email, locale } of await people.owners(tenantId)) {
      const mail = { template: 'webhooks.endpoint_paused', to: email, tenantId, key: id, data }
      await mailer.send(locale === null ? mail : { ...mail, locale })
    }
  }
}
