/** The signing secret of an endpoint. It is loaded when the person asks for it. */

import { useState } from 'react'
import {
  Button,
  ConfirmButton,
  CopyButton,
  callApi,
  formatDate,
  type RecordTabProps,
  toast,
  useAction,
  usePermissions,
  useScreenTexts,
} from '../../public.ts'
import { texts } from './texts.ts'
import './webhooks.css'

export default function EndpointSecret({ record }: RecordTabProps) {
  const t = useScreenTexts(texts)
  const { may } = usePermissions()
  const [secret, setSecret] = useState<string>()
  const { isBusy, run } = useAction()
  const path = `/v1/webhooks/endpoints/${record.id}/secret`
  const show = () => run(async () => setSecret((await callApi<{ readonly secret: string }>({ path })).body.secret))
  const rotate = () =>
    run(async () => {
      const { body } = await callApi<{ readonly secret: string; readonly previous_expires_at: string | null }>({
        method: 'POST',
        path: `${path}/rotate`,
      })
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
