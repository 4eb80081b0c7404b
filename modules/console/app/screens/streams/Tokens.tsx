/** Tokens of a stream: create, show once, revoke. */

import { type FormEvent, useState } from 'react'
import {
  type Api,
  api,
  Button,
  ConfirmButton,
  ErrorState,
  fill,
  formatDate,
  Icon,
  Loading,
  Section,
  SelectField,
  TextField,
  useAction,
  useGet,
  usePermissions,
  useReload,
} from '../../public.ts'
import { ShownOnce } from './ShownOnce.tsx'
import { isOver, useStreamTexts } from './texts.ts'

const HOUR_SECONDS = 3600
const LIFETIMES = [1, 24] as const

export function Tokens({ stream }: { readonly stream: Api.Stream }) {
  const c = useStreamTexts()
  const { may } = usePermissions()
  const reload = useReload()
  const path = { id: stream.id }
  const [secret, setSecret] = useState('')
  const { isBusy, run } = useAction({ onDone: () => reload('/v1/streams/{id}/tokens', path) })
  const { data, error, isPending, refetch } = useGet('/v1/streams/{id}/tokens', { path })
  const mayCreate = may('streams.token.create') && !isOver(stream.status)
  const nameOf = ({ label, role }: Api.StreamToken) => label ?? c[role]
  return (
    <Section title={c.tokens}>
      {mayCreate && (
        <NewToken
          isBusy={isBusy}
          onCreate={async body => {
            const created = await run(() => api.post('/v1/streams/{id}/tokens', { path, body }))
            if (created) setSecret(created.body.token)
          }}
        />
      )}
      {secret !== '' && <ShownOnce secret={secret} />}
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : isPending ? (
        <Loading />
      ) : data.data.length === 0 ? (
        <p className="muted">{c.noTokens}</p>
      ) : (
        <ul className="entries panel">
          {data.data.map(token => (
            <li key={token.id}>
              <Icon name="ticket" />
              <div>
                <p>{nameOf(token)}</p>
                <p className="muted">
                  {[
                    c[token.role],
                    fill(c.used, { count: token.max_uses === null ? token.uses : `${token.uses}/${token.max_uses}` }),
                    token.expires_at && fill(c.until, { date: formatDate(token.expires_at) }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              {may('streams.token.delete') && (
                <ConfirmButton
                  kind="quiet"
                  icon="trash-2"
                  label={`${c.revoke}: ${nameOf(token)}`}
                  title={c.revokeTitle}
                  text={c.revokeText}
                  confirm={c.revoke}
                  danger
                  isBusy={isBusy}
                  onConfirm={() =>
                    run(
                      () => api.delete('/v1/streams/{id}/tokens/{token_id}', { path: { ...path, token_id: token.id } }),
                      c.revokedDone,
                    )
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

interface NewTokenProps {
  readonly isBusy: boolean
  readonly onCreate: (body: Api.CreateStreamTokenInput) => void
}

function NewToken({ isBusy, onCreate }: NewTokenProps) {
  const c = useStreamTexts()
  const [role, setRole] = useState<Api.StreamToken['role']>('viewer')
  const [label, setLabel] = useState('')
  const [hours, setHours] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const lifetime = hours === '' ? {} : { ttl_seconds: Number(hours) * HOUR_SECONDS }
    onCreate({ role, ...(label.trim() !== '' && { label: label.trim() }), ...lifetime })
    setLabel('')
  }
  return (
    <form className="inline-form" onSubmit={submit}>
      <SelectField
        label={c.purpose}
        value={role}
        options={[
          ['viewer', c.viewer],
          ['publisher', c.publisher],
        ]}
        onChange={setRole}
      />
      <TextField label={c.label} maxLength={128} value={label} onChange={setLabel} />
      <SelectField
        label={c.validFor}
        value={hours}
        options={[['', c.wholeStream], ...LIFETIMES.map(count => [String(count), fill(c.hours, { count })] as const)]}
        onChange={setHours}
      />
      <Button type="submit" icon="plus" isDisabled={isBusy}>
        {c.createToken}
      </Button>
    </form>
  )
}
