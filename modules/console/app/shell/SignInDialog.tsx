/** Shown when the login session ends, or when a request needs a recent proof. The requests are repeated afterwards. */
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useStore } from '../browser/store.ts'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { TextField } from '../components/LabeledField.tsx'
import { api, signInStore } from '../data/api.ts'
import type { Me } from '../data/api-types.ts'
import { keys } from '../data/keys.ts'
import { messageOf, ServerUnavailable } from '../data/problem.ts'
import { useTexts } from '../locales/index.ts'

export function SignInDialog() {
  const t = useTexts()
  const client = useQueryClient()
  const waiting = useStore(signInStore)
  const [password, setPassword] = useState('')
  const [typedEmail, setEmail] = useState<string>()
  const [error, setError] = useState('')
  const before = client.getQueriesData<Me>({ queryKey: keys.load('/v1/me') }).find(([, me]) => me?.user)?.[1]?.user
  const email = typedEmail ?? before?.email ?? ''

  /** Another person must not continue what the first one typed. */
  async function goOn() {
    const response = await fetch('/v1/me', { credentials: 'same-origin' })
    if (!response.ok) return setError(t('signInFailed'))
    const me = (await response.json()) as Me
    if (before && me.user.id !== before.id) return location.reload()
    setPassword('')
    setError('')
    waiting?.resolve()
  }
  async function signIn(event: FormEvent) {
    event.preventDefault()
    try {
      await api.post('/v1/auth/login', { body: { email, password } })
      await goOn()
    } catch (failure) {
      setError(failure instanceof ServerUnavailable ? t('serverAway') : messageOf(failure))
    }
  }
  if (waiting?.proof)
    return (
      <Dialog title={t('proofTitle')} isOpen role="alertdialog">
        <div className="form">
          <p>{t('proofText')}</p>
          {waiting.isProofMissing && (
            <div className="notice danger" role="alert">
              {t('proofMissing')}
            </div>
          )}
          <div className="form-actions">
            <Button
              kind="primary"
              icon="external-link"
              onPress={() => window.open('/sign-in/confirm?next=/account', '_blank', 'noopener')}
            >
              {t('proofWindow')}
            </Button>
            <Button onPress={waiting.resolve}>{t('proofDone')}</Button>
            <Button kind="quiet" onPress={waiting.cancel}>
              {t('cancel')}
            </Button>
          </div>
        </div>
      </Dialog>
    )
  return (
    <Dialog title={t('signInTitle')} isOpen={waiting !== undefined} role="alertdialog">
      <form className="form" onSubmit={signIn}>
        <p>{t('signInText')}</p>
        {error && (
          <div className="notice danger" role="alert">
            {error}
          </div>
        )}
        <TextField label={t('email')} type="email" autoComplete="username" value={email} onChange={setEmail} />
        <TextField
          label={t('password')}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <div className="form-actions">
          <Button kind="primary" type="submit">
            {t('signIn')}
          </Button>
          <Button icon="external-link" onPress={() => window.open('/sign-in?next=/account', '_blank', 'noopener')}>
            {t('signInWindow')}
          </Button>
          <Button kind="quiet" onPress={goOn}>
            {t('signInCheck')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
