import { type ReactNode, useEffect } from 'react'
import { ApiError, ServerUnavailable } from '../data/problem.ts'
import { forgetVisit } from '../data/visits.ts'
import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

interface Props {
  readonly icon?: string
  readonly title?: string
  readonly text?: string
  readonly children?: ReactNode
}

export function EmptyState({ icon = 'inbox', title, text, children }: Props) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={22} />
      </span>
      {title && <h2>{title}</h2>}
      {text && <p>{text}</p>}
      {children && <div className="row">{children}</div>}
    </div>
  )
}

/** Stands in a list that search and filters leave empty. */
export function NoMatches({ onClear }: { readonly onClear: () => void }) {
  const t = useTexts()
  return (
    <EmptyState icon="search" title={t('emptyFiltered')} text={t('emptyFilteredText')}>
      <Button onPress={onClear}>{t('clearFilters')}</Button>
    </EmptyState>
  )
}

/** Stands in place of what a failed request would have shown. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const t = useTexts()
  const problem = error instanceof ApiError ? error.problem : undefined
  const isMissing = problem?.status === 404
  useEffect(() => {
    if (isMissing) forgetVisit(location.pathname)
  }, [isMissing])
  const text = error instanceof ServerUnavailable ? t('serverAway') : (problem?.detail ?? String(error))
  if (isMissing) return <EmptyState icon="search" title={t('notFound')} text={t('recordNotFoundText')} />
  return (
    <EmptyState icon="triangle-alert" title={t('failed')} text={text}>
      {problem?.requestId && <small>{t('requestId', { id: problem.requestId })}</small>}
      {onRetry && (
        <Button icon="refresh-cw" onPress={onRetry}>
          {t('retry')}
        </Button>
      )}
    </EmptyState>
  )
}

export function Loading() {
  const t = useTexts()
  return (
    <div className="loading" role="status">
      <span className="spinner" />
      <span className="visually-hidden">{t('loading')}</span>
    </div>
  )
}
