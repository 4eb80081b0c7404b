import { Link } from '@tanstack/react-router'
import { product } from '../browser/product.ts'
import { EmptyState } from '../components/EmptyState.tsx'
import { Page } from '../components/Page.tsx'
import { useTexts } from '../locales/index.ts'

export function NotFound() {
  const t = useTexts()
  return <Missing title={t('notFound')} icon="search" text={t('notFoundText')} />
}

/** The address of a screen that the console of this workspace doesn't have. */
export function Unavailable() {
  const t = useTexts()
  return (
    <Missing title={t('unavailable')} icon="shield" text={t('unavailableText', { product: product || t('console') })} />
  )
}

interface MissingProps {
  readonly title: string
  readonly icon: string
  readonly text: string
}

function Missing({ title, icon, text }: MissingProps) {
  const t = useTexts()
  return (
    <Page title={title} isMissing>
      <EmptyState icon={icon} text={text}>
        <Link className="button secondary" to="/">
          {t('backHome')}
        </Link>
      </EmptyState>
    </Page>
  )
}
