/** A webhook delivery: the request and the response of each attempt. */
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { ErrorState, Loading } from '../../components/EmptyState.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Page } from '../../components/Page.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import { useStore } from '../../data/store.ts'
import { formatDate, formatNumber, languageStore } from '../../locales/index.ts'
import { crumbsOf, useRecord, useRefresh } from '../../resource/generic.ts'
import type { ResourceScreenProps } from '../registry.ts'
import { texts } from './texts.ts'
import './webhooks.css'

interface Attempt {
  readonly number: number
  readonly at: string
  readonly duration_ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}
interface WebhookDelivery {
  readonly id: string
  readonly type: string
  readonly url: string
  readonly endpoint_id: string | null
  readonly status: string
  readonly reason: string | null
  readonly created_at: string
  readonly next_attempt_at: string | null
  readonly payload: unknown
  readonly attempts: readonly Attempt[]
}

export default function DeliveryScreen({ resource, id }: ResourceScreenProps) {
  const t = texts[useStore(languageStore)]
  const { isBusy, run } = useAction({ onDone: useRefresh(resource) })
  const { data, error, isPending, refetch } = useRecord(resource, id, {})
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const delivery = data.body as unknown as WebhookDelivery
  const canRetry = resource.actions.some(action => action.id === 'retryWebhookDelivery')
  const retry = () =>
    run(() => callApi({ method: 'POST', path: `/v1/webhooks/deliveries/${encodeURIComponent(id)}/retry` }), t.retried)
  const facts = [
    [t.url, 'url', delivery.url],
    [t.endpoint, 'endpoint_id', delivery.endpoint_id],
    [t.created, 'created_at', delivery.created_at],
    [t.next, 'next_attempt_at', delivery.next_attempt_at],
    [t.reason, 'reason', delivery.reason],
  ] as const
  return (
    <Page
      title={delivery.type}
      crumbs={crumbsOf(resource)}
      badge={<Badge text={delivery.status} />}
      actions={
        canRetry && (
          <Button kind="primary" icon="send" isDisabled={isBusy} onPress={retry}>
            {t.retry}
          </Button>
        )
      }
    >
      <Facts facts={facts.filter(([, , value]) => value !== null)} label={t.details} />
      <div className="webhook-columns">
        <section aria-labelledby="request">
          <h2 id="request">{t.request}</h2>
          <Code>{`POST ${delivery.url}\nwebhook-id: ${delivery.id}\n\n${JSON.stringify(delivery.payload, null, 2)}`}</Code>
        </section>
        <section aria-labelledby="attempts">
          <h2 id="attempts">{t.attempts}</h2>
          {delivery.attempts.length === 0 && <p className="muted">{t.noAttempts}</p>}
          {delivery.attempts.map(attempt => (
            <article key={attempt.number} className="attempt">
              <header>
                <strong>{t.attempt.replace('{number}', formatNumber(attempt.number))}</strong>
                <span className={`badge ${isSuccess(attempt.status) ? 'success' : 'danger'}`}>
                  {attempt.status ?? attempt.error}
                </span>
                <span className="muted">{t.duration.replace('{count}', formatNumber(attempt.duration_ms))}</span>
                <time dateTime={attempt.at}>{formatDate(attempt.at)}</time>
              </header>
              {attempt.status !== null && attempt.error !== null && <p className="error">{attempt.error}</p>}
              {attempt.status !== null &&
                (attempt.answer ? <Code>{attempt.answer}</Code> : <p className="muted">{t.noAnswer}</p>)}
            </article>
          ))}
        </section>
      </div>
    </Page>
  )
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

const Code = ({ children }: { readonly children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys
  <pre className="code webhook-code" tabIndex={0}>
    {children}
  </pre>
)
