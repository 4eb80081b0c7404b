/** The signing secret of an endpoint. It is loaded when the person asks for it. */

import { useState } from 'react'
import {
  type Api,
  api,
  Button,
  ConfirmButton,
  CopyButton,
  formatDate,
  type RecordTabProps,
  toast,
  useAction,
  usePermissions,
  useScreenTexts,
} from '../../public.ts'
import { texts } from './texts.ts'
import './webhooks.css'

export default function EndpointSecret({ record }: RecordTabProps<Api.WebhookEndpoint>) {
  const t = useScreenTexts(texts)
  const { may } = usePermissions()
  const [secret, setSecret] = useState<string>()
  const { isBusy, run } = useAction()
  const input = { path: { id: record.id } }
  const show = () =>
    run(async () => setSecret((await api.get('/v1/webhooks/endpoints/{id}/secret', input)).body.secret))
  const rotate = () =>
    run(async () => {
      const { body } = await api.post('/v1/webhooks/endpoints/{id}/secret/rotate', input)
      setSecret(body.secret)
      const until = body.previous_expires_at
      toast(until ? t.rotated.replace('{date}', formatDate(until)) : t.rotatedAlone)
    })
  return (
    <div className="secret">
      {secret !== undefined && <code className="secret-value">{secret}</code>}
      <div className="row">
        {secret === undefined ? (
          may('webhooks.secret.read') && (
            <Button icon="eye" isDisabled={isBusy} onPress={show}>
              {t.show}
            </Button>
          )
        ) : (
          <>
            <CopyButton text={secret} />
            <Button kind="quiet" onPress={() => setSecret(undefined)}>
              {t.hide}
            </Button>
          </>
        )}
        {may('webhooks.secret.rotate') && (
          <ConfirmButton
            kind="danger"
            icon="refresh-cw"
            title={t.rotate}
            text={t.rotateText}
            confirm={t.rotate}
            danger
            isBusy={isBusy}
            onConfirm={rotate}
          />
        )}
      </div>
    </div>
  )
}
