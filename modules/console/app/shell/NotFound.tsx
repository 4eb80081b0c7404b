import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components/EmptyState.tsx'
import { Page } from '../components/Page.tsx'
import { useTexts } from '../locales/index.ts'

export function NotFound() {
  const t = useTexts()
  return (
    <Page title={t('notFound')}>
      <EmptyState icon="search" text={t('notFoundText')}>
        <Link className="button secondary" to="/">
          {t('backHome')}
        </Link>
      </EmptyState>
    </Page>
  )
}
