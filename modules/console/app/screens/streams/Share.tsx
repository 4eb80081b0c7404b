/** Shares a stream: the link for viewers, the embed code, and the address for OBS. */

import { useId, useState } from 'react'
import { type Api, api, Button, CopyButton, Dialog, useAction } from '../../public.ts'
import { useStreamTexts } from './texts.ts'
import './streams.css'

interface Props {
  readonly stream: Api.Stream
  readonly media: Api.StreamMedia | undefined
  readonly onCreated: () => unknown
}

/** A private stream needs a token for its viewers, and OBS needs one to broadcast. Each is created once per screen. */
export function Share({ stream: { id, visibility }, media, onCreated }: Props) {
  const c = useStreamTexts()
  const [isOpen, setOpen] = useState(false)
  const [viewer, setViewer] = useState('')
  const [publisher, setPublisher] = useState('')
  const { isBusy, run } = useAction({ onDone: onCreated })
  const createToken = async (role: 'viewer' | 'publisher', label: string) => {
    const input = { path: { id }, body: { role, label } }
    return (await run(() => api.post('/v1/streams/{id}/tokens', input)))?.body.token ?? ''
  }
  const open = async () => {
    setOpen(true)
    if (visibility === 'private' && viewer === '') setViewer(await createToken('viewer', c.sharedLink))
  }
  const hasLink = visibility === 'public' || viewer !== ''
  const end = `${id}${viewer && `#${viewer}`}`
  const frame = `<iframe src="${location.origin}/embed/${end}" width="960" height="540" allow="autoplay; fullscreen"></iframe>`
  return (
    <>
      <Button icon="share-2" onPress={open}>
        {c.share}
      </Button>
      <Dialog title={c.share} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="share">
          <CopyField
            label={c.viewerLink}
            value={hasLink ? `${location.origin}/watch/${end}` : ''}
            hint={visibility === 'private' ? c.anyoneWatches : undefined}
          />
          <CopyField label={c.embedCode} value={hasLink ? frame : ''} />
          <h3>{c.encoders}</h3>
          {!media?.enabled ? (
            <p className="muted">{c.noEdge}</p>
          ) : publisher === '' ? (
            <Button isDisabled={isBusy} onPress={async () => setPublisher(await createToken('publisher', 'OBS'))}>
              {c.createAddress}
            </Button>
          ) : (
            <>
              <CopyField label={c.server} value={media?.whip_url ?? ''} />
              <CopyField label={c.bearerToken} value={publisher} hint={c.anyoneBroadcasts} />
            </>
          )}
        </div>
      </Dialog>
    </>
  )
}

interface CopyFieldProps {
  readonly label: string
  readonly value: string
  readonly hint?: string | undefined
}

function CopyField({ label, value, hint }: CopyFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="share-value">
        <input id={id} readOnly value={value} aria-describedby={hint && `${id}-hint`} />
        <CopyButton text={value} label={label} />
      </div>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
