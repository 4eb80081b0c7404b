/** A webhook delivery: the request and the response of each attempt. */
import { StateBadge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ErrorState, Loading } from '../../components/EmptyState.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Page } from '../../components/Page.tsx'
import { Section } from '../../components/Section.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import type { WebhookDeliveryDetails } from '../../data/api-types.ts'
import type { ResourceScreenProps } from '../../data/screens.ts'
import { useScreenTexts } from '../../locales/index.ts'
import { crumbsOf, factsIn, useRecord, useRefresh } from '../../resource/generic.ts'
import { Attempts } from './Attempts.tsx'
import { texts } from './texts.ts'
import './webhooks.css'

export default function DeliveryScreen({ resource, id }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  const { data, error, isPending, refetch } = useRecord(resource, id, {})
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const delivery = data.body as WebhookDeliveryDetails
  const canRetry = resource.actions.some(action => action.id === 'retryWebhookDelivery')
  const retry = () =>
    run(() => callApi({ method: 'POST', path: `/v1/webhooks/deliveries/${encodeURIComponent(id)}/retry` }), t.retried)
  const facts = factsIn(resource, delivery, ['url', 'endpoint_id', 'created_at', 'next_attempt_at', 'reason'])
  return (
    <Page
      title={delivery.type}
      crumbs={crumbsOf(resource)}
      badge={<StateBadge states={resource.states.status} value={delivery.status} />}
      actions={
        canRetry && (
          <Button kind="primary" icon="send" isDisabled={isBusy} onPress={retry}>
            {t.retry}
          </Button>
        )
      }
    >
      <Facts facts={facts.filter(([, , value]) => value !== null)} label={t.details} />
      <div className="webhook-columns columns">
        <Section title={t.request}>
          <CodeBlock
            text={`POST ${delivery.url}\nwebhook-id: ${delivery.id}\n\n${JSON.stringify(delivery.payload, null, 2)}`}
          />
        </Section>
        <Section title={t.attempts}>
          <Attempts delivery={delivery} />
        </Section>
      </div>
    </Page>
  )
}
