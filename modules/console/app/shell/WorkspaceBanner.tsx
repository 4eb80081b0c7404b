import { useNavigate, useRouterState } from '@tanstack/react-router'
import { CONSOLE, workspace } from '../browser/document.ts'
import { useStore } from '../browser/store.ts'
import { Button } from '../components/Button.tsx'
import { leftStore } from '../data/api.ts'
import { isCode } from '../data/problem.ts'
import { useMe } from '../data/session.ts'
import { useTexts } from '../locales/index.ts'
import styles from './Banner.module.css'

/** Excludes sentences, so that nobody can put words into the banner with a link. */
const SLUG = /^[\w-]{1,128}$/

/** Says that the workspace of the screen or the customer is suspended, or that the person doesn't belong to it or to one that an address named. */
export function WorkspaceBanner() {
  const t = useTexts()
  const navigate = useNavigate()
  const { data: me, error } = useMe()
  const hasLeft = useStore(leftStore)
  const named = useRouterState({ select: ({ location }) => String(location.search.left ?? '') })
  if (isCode(error, 'tenant_suspended'))
    return (
      <div className={styles.banner} role="alert">
        <span>{t('suspendedWorkspace')}</span>
        <a className="button secondary" href="/account/workspaces">
          {t('otherWorkspaces')}
        </a>
      </div>
    )
  if (isCode(error, 'customer_suspended'))
    return (
      <div className={styles.banner} role="alert">
        <span>{t('suspendedCustomer')}</span>
        <a className="button secondary" href="/account">
          {t('account')}
        </a>
      </div>
    )
  if (hasLeft && workspace)
    return (
      <div className={styles.banner} role="alert">
        <span>{t('leftWorkspace', { name: workspace.slug })}</span>
        <a className="button secondary" href={`${CONSOLE}?left=${encodeURIComponent(workspace.slug)}`}>
          {t('otherWorkspaces')}
        </a>
      </div>
    )
  if (!SLUG.test(named)) return null
  return (
    <div className={styles.banner} role="alert">
      <span>
        {t('notInWorkspace', { name: named })}
        {me?.workspace && ` ${t('thisWorkspace', { name: me.workspace.name })}`}
      </span>
      <Button
        kind="quiet"
        icon="x"
        label={t('close')}
        onPress={() => navigate({ to: '.', search: ({ left: _, ...search }) => search, replace: true })}
      />
    </div>
  )
}
