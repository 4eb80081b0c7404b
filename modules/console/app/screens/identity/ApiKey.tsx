/** Creates an API key and shows its secret once, or changes the scopes and the expiry of a key. */
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { DAY } from '../../../../../kernel/base/units.ts'
import { Button } from '../../components/Button.tsx'
import { ErrorState, Loading } from '../../components/EmptyState.tsx'
import { Page } from '../../components/Page.tsx'
import { toast } from '../../components/Toast.tsx'
import { useAction } from '../../data/action.ts'
import { callApi } from '../../data/api.ts'
import { fieldErrors } from '../../data/problem.ts'
import { nounOf, type Resource } from '../../data/resources.ts'
import { useTexts } from '../../locales/index.ts'
import { crumbsOf, resourcePath, useRecord, useRefresh } from '../../resource/generic.ts'
import type { ScreenProps } from '../registry.ts'
import { PermissionPicker } from './PermissionPicker.tsx'
import { useIdentityTexts } from './texts.ts'
import './identity.css'

interface ApiKey {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[] | null
  readonly expiresAt: string | null
}
const NEW_KEY: ApiKey = { id: '', name: '', permissions: [], expiresAt: null }
const LIFETIMES = [30, 90, 365] as const
/** Days of a new key. */
const DEFAULT_LIFETIME = '90'

/** @param lifetime days, or `never`. */
const expiryOf = (lifetime: string): string | null =>
  lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY).toISOString()

export default function ApiKeyScreen({ resource, params }: ScreenProps) {
  if (!resource) return null
  const id = params.id ?? ''
  return id === '' ? <ApiKeyForm resource={resource} stored={NEW_KEY} /> : <StoredKey resource={resource} id={id} />
}

function StoredKey({ resource, id }: { readonly resource: Resource; readonly id: string }) {
  const { data, error, isPending, refetch } = useRecord(resource, id, {})
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  return <ApiKeyForm key={id} resource={resource} stored={data.body as unknown as ApiKey} />
}

function ApiKeyForm({ resource, stored }: { readonly resource: Resource; readonly stored: ApiKey }) {
  const t = useTexts()
  const c = useIdentityTexts()
  const navigate = useNavigate()
  const refresh = useRefresh(resource)
  const isNew = stored.id === ''
  const [name, setName] = useState(stored.name)
  const [isLimited, setLimited] = useState(stored.permissions !== null)
  const [permissions, setPermissions] = useState(stored.permissions ?? [])
  const [lifetime, setLifetime] = useState(isNew ? DEFAULT_LIFETIME : 'keep')
  const [secret, setSecret] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onDone: refresh, onFailure: setFailure })
  if (secret !== '') return <CreatedKey resource={resource} name={name} secret={secret} />

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = {
      ...{ name, permissions: isLimited ? permissions : null },
      ...(lifetime !== 'keep' && { expiresAt: expiryOf(lifetime) }),
    }
    const path = `/v1/identity/api-keys${isNew ? '' : `/${stored.id}`}`
    const answer = await run(() => callApi<{ readonly key?: string }>({ method: isNew ? 'POST' : 'PATCH', path, body }))
    if (!answer) return
    if (answer.body.key) return setSecret(answer.body.key)
    toast(t('saved'))
    navigate({ to: resourcePath(resource) })
  }
  return (
    <Page title={isNew ? t('createTitle', { name: nounOf(resource) }) : stored.name} crumbs={crumbsOf(resource)}>
      <form className="role-form" onSubmit={submit}>
        <div className="field">
          <label htmlFor="key-name">{c.name}</label>
          <input id="key-name" required value={name} onChange={({ target }) => setName(target.value)} />
        </div>
        <div className="field">
          <label htmlFor="key-lifetime">{c.expires}</label>
          <select id="key-lifetime" value={lifetime} onChange={({ target }) => setLifetime(target.value)}>
            {!isNew && <option value="keep">{c.keepExpiry}</option>}
            {LIFETIMES.map(days => (
              <option key={days} value={days}>
                {c.inDays.replace('{count}', String(days))}
              </option>
            ))}
            <option value="never">{c.never}</option>
          </select>
        </div>
        <fieldset className="role-choice">
          <legend>{c.access}</legend>
          <label className="choice">
            <input type="radio" name="access" checked={isLimited} onChange={() => setLimited(true)} />
            <span>{c.chosenPermissions}</span>
          </label>
          <label className="choice">
            <input type="radio" name="access" checked={!isLimited} onChange={() => setLimited(false)} />
            <span>{c.creatorPermissions}</span>
          </label>
        </fieldset>
        {isLimited && <PermissionPicker chosen={permissions} isReadOnly={false} onChange={setPermissions} />}
        {failure instanceof Error && (
          <p className="notice danger" role="alert">
            {[failure.message, ...fieldErrors(failure).values()].join(' ')}
          </p>
        )}
        <div className="form-actions">
          <Button kind="primary" type="submit" isDisabled={isBusy || (isLimited && permissions.length === 0)}>
            {isNew ? t('createSubmit', { name: nounOf(resource) }) : t('save')}
          </Button>
        </div>
      </form>
    </Page>
  )
}

interface CreatedProps {
  readonly resource: Resource
  readonly name: string
  readonly secret: string
}

function CreatedKey({ resource, name, secret }: CreatedProps) {
  const c = useIdentityTexts()
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    toast(c.copied)
  }
  return (
    <Page title={name} crumbs={crumbsOf(resource)}>
      <p className="lead" role="status">
        {c.secretOnce}
      </p>
      <p>
        <code className="key-secret">{secret}</code>
      </p>
      <div className="form-actions">
        <Button kind="primary" icon="copy" onPress={copy}>
          {c.copy}
        </Button>
        <Link className="button secondary" to={resourcePath(resource)}>
          {c.done}
        </Link>
      </div>
    </Page>
  )
}
