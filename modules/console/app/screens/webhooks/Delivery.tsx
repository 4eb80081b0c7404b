/** A webhook delivery: the request and the response of each attempt. */
import {
  api,
  Button,
  CodeBlock,
  crumbsOf,
  ErrorState,
  Facts,
  factsIn,
  Loading,
  Page,
  type ResourceScreenProps,
  Section,
  StateBadge,
  useAction,
  useRecord,
  useRefresh,
  useScreenTexts,
} from '../../public.ts'
import { Attempts } from './Attempts.tsx'
import { texts } from './texts.ts'
import './webhooks.css'

export default function DeliveryScreen({ resource, id }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  const { data, error, isPending, refetch } = useRecord<'/v1/webhooks/deliveries/{id}'>(resource, id)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const delivery = data.body
  const canRetry = resource.actions.some(action => action.id === 'retryWebhookDelivery')
  const retry = () => run(() => api.post('/v1/webhooks/deliveries/{id}/retry', { path: { id } }), t.retried)
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
