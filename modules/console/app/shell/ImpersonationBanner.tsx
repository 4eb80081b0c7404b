import { useEffect, useState } from 'react'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { Button } from '../components/Button.tsx'
import { Icon } from '../components/Icon.tsx'
import { reportFailure, useAction } from '../data/action.ts'
import { endImpersonation, useMe } from '../data/session.ts'
import { useTexts } from '../locales/index.ts'
import styles from './Banner.module.css'

/** Shown while an operator acts as another person. */
export function ImpersonationBanner() {
  const t = useTexts()
  const { data: me } = useMe()
  const { isBusy, run } = useAction()
  const [now, setNow] = useState(Date.now)
  const impersonation = me?.impersonation
  const userId = me?.user.id
  useEffect(() => {
    if (!impersonation || userId === undefined) return
    const timer = setInterval(() => {
      setNow(Date.now())
      // Returns to the operator's own login instead of asking for a password.
      if (Date.now() >= Date.parse(impersonation.expiresAt)) endImpersonation(userId).catch(reportFailure)
    }, MINUTE / 4)
    return () => clearInterval(timer)
  }, [impersonation, userId])
  if (!impersonation || !me?.user) return null
  const { user } = me
  const minutes = Math.max(0, Math.ceil((Date.parse(impersonation.expiresAt) - now) / MINUTE))
  return (
    <section className={styles.impersonation} aria-label={t('supportAccess')}>
      <Icon name="eye" />
      <p>
        <strong>{t('actingAs', { name: user.name ?? user.email })}</strong>{' '}
        {t('minutesLeft', { count: String(minutes) })} · {impersonation.reason}
      </p>
      <Button isDisabled={isBusy} onPress={() => run(() => endImpersonation(user.id))}>
        {t('endImpersonation')}
      </Button>
    </section>
  )
}
