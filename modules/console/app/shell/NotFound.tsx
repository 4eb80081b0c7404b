import { Link } from '@tanstack/react-router'
import { product } from '../browser/product.ts'
import { EmptyState, ErrorState } from '../components/EmptyState.tsx'
import { Page } from '../components/Page.tsx'
import { areaTitle } from '../data/area-titles.ts'
import { isSuspension } from '../data/problem.ts'
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

interface UnloadedProps {
  readonly module: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** Nobody knows what is at the address, because the resources didn't load. */
export const Unloaded = ({ module, error, onRetry }: UnloadedProps) => (
  <Page title={areaTitle(module)} isMissing>
    {!isSuspension(error) && <ErrorState error={error} onRetry={onRetry} />}
  </Page>
)

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
