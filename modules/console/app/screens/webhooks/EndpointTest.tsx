/** Sends a test event to an endpoint and shows what the receiver answered. */

import { useState } from 'react'
import {
  type Api,
  api,
  Button,
  ErrorState,
  Icon,
  type RecordTabProps,
  ScreenLink,
  useAction,
  useGet,
  usePermissions,
  useScreenTexts,
} from '../../public.ts'
import { Attempts } from './Attempts.tsx'
import { texts } from './texts.ts'
import './webhooks.css'

const WAIT_MS = 500

export default function EndpointTest({ record }: RecordTabProps<Api.WebhookEndpoint>) {
  const t = useScreenTexts(texts)
  const { may } = usePermissions()
  const [id, setId] = useState('')
  const { isBusy, run } = useAction()
  const send = () =>
    run(async () => {
      const { body } = await api.post('/v1/webhooks/endpoints/{id}/test', { path: { id: record.id } })
      setId(body.id)
    })
  return (
    <div className="endpoint-test">
      <p className="muted">{t.testText}</p>
      {may('webhooks.endpoint.update') && (
        <Button icon="send" kind="primary" isDisabled={isBusy} onPress={send}>
          {t.sendTest}
        </Button>
      )}
      {id !== '' && may('webhooks.delivery.read') && <Result key={id} id={id} />}
    </div>
  )
}

function Result({ id }: { readonly id: string }) {
  const t = useScreenTexts(texts)
  const { data, error, refetch } = useGet('/v1/webhooks/deliveries/{id}', {
    path: { id },
    refreshMs: last => (last && last.status !== 'pending' ? false : WAIT_MS),
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data || data.status === 'pending')
    return (
      <p role="status">
        <span className="spinner" /> {t.testSent}
      </p>
    )
  const isDelivered = data.status === 'delivered'
  return (
    <section className="test-result" aria-label={t.testResult}>
      <p role="status" className={`notice ${isDelivered ? 'success' : 'danger'}`}>
        <Icon name={isDelivered ? 'circle-check' : 'circle-alert'} />{' '}
        {isDelivered ? t.testDelivered : `${t.testFailed} ${data.attempts.at(-1)?.error ?? ''}`}
      </p>
      <Attempts delivery={data} />
      <p>
        <ScreenLink className="plain" to={`/webhooks/deliveries/${id}`}>
          {t.openDelivery}
        </ScreenLink>
      </p>
    </section>
  )
}
