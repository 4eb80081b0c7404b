import { Link, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { keepVisit } from '../data/visits.ts'
import { useTexts } from '../locales/index.ts'
import { Icon } from './Icon.tsx'
import styles from './Page.module.css'

export interface Crumb {
  readonly title: string
  readonly href: string
}
interface Props {
  readonly title: string
  readonly crumbs?: readonly Crumb[]
  /** Whether nothing is at the address, which nobody returns to. */
  readonly isMissing?: boolean
  readonly badge?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A screen: breadcrumbs, heading, actions, content. Also sets the title of the document. */
export function Page({ title, crumbs = [], isMissing = false, badge, actions, children }: Props) {
  const t = useTexts()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    document.title = title
    if (!isMissing) keepVisit(path, title)
  }, [title, path, isMissing])
  return (
    <div className="page">
      <header className={styles.header}>
        <div className={styles.title}>
          {crumbs.length > 0 && (
            <nav className={styles.crumbs} aria-label={t('breadcrumb')}>
              {crumbs.map((crumb, index) => (
                <span key={crumb.href}>
                  {index > 0 && <Icon name="chevron-right" size={14} />}
                  <Link to={crumb.href}>{crumb.title}</Link>
                </span>
              ))}
            </nav>
          )}
          <div className="row">
            <h1 dir="auto">{title}</h1>
            {badge}
          </div>
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
