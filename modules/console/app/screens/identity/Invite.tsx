/** Invites one person or several. */
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Page } from '../../components/Page.tsx'
import { callApi } from '../../data/api.ts'
import { fieldErrors, messageOf } from '../../data/problem.ts'
import { fill } from '../../locales/index.ts'
import { crumbsOf, useRefresh } from '../../resource/generic.ts'
import type { ScreenProps } from '../registry.ts'
import { INVITATIONS, RoleChoice, useRoles } from './roles.tsx'
import { useIdentityTexts } from './texts.ts'
import './identity.css'

interface Result {
  readonly email: string
  /** Empty for a success. */
  readonly failure: string
}

export default function Invite({ resource }: ScreenProps) {
  const c = useIdentityTexts()
  const { roles } = useRoles()
  const refresh = useRefresh(resource as NonNullable<typeof resource>)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [results, setResults] = useState<readonly Result[]>([])
  const [isBusy, setBusy] = useState(false)
  if (!resource) return null
  const emails = [...new Set(text.split(/[\s,;]+/).filter(Boolean))]
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const done: Result[] = []
    for (const email of emails) {
      try {
        const body = { email, ...(chosen.length > 0 && { roles: chosen }) }
        await callApi({ method: 'POST', path: '/v1/identity/members/invite', body })
        done.push({ email, failure: '' })
      } catch (failure) {
        done.push({ email, failure: fieldErrors(failure).get('/email') ?? messageOf(failure) })
      }
      setResults([...done])
    }
    // The addresses that failed stay in the field.
    setText(done.flatMap(({ email, failure }) => (failure === '' ? [] : [email])).join('\n'))
    setBusy(false)
    await refresh()
  }
  return (
    <Page title={c.invite} crumbs={crumbsOf(resource)}>
      <form className="form" onSubmit={submit}>
        <div className="field">
          <label htmlFor="emails">{c.emails}</label>
          <textarea
            id="emails"
            rows={4}
            required
            aria-describedby="emails-hint"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <p className="hint" id="emails-hint">
            {c.emailsHint}
          </p>
        </div>
        {roles.length > 0 && (
          <div>
            <RoleChoice roles={roles.filter(({ scope }) => scope === 'tenant')} chosen={chosen} onChange={setChosen} />
            <p className="hint">{c.defaultRole}</p>
          </div>
        )}
        <div className="form-actions">
          <Button kind="primary" type="submit" icon="send" isDisabled={isBusy || emails.length === 0}>
            {emails.length > 1 ? fill(c.inviteMany, { count: emails.length }) : c.sendInvitation}
          </Button>
          <Link className="button quiet" to={INVITATIONS}>
            {c.invitations}
          </Link>
        </div>
      </form>
      <div role="status">
        <ul className="invite-results">
          {results.map(({ email, failure }) => (
            <li key={email} className={failure === '' ? 'yes' : 'error'}>
              <Icon name={failure === '' ? 'circle-check' : 'circle-alert'} />
              <span>
                <strong>{email}</strong> {failure === '' ? c.invited : failure}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Page>
  )
}
