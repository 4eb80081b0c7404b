import { useParams } from '@tanstack/react-router'
import { hasArea } from '../browser/document.ts'
import { product } from '../browser/product.ts'
import { EmptyState, Loading } from '../components/EmptyState.tsx'
import { Page } from '../components/Page.tsx'
import { areaTitle } from '../data/area-titles.ts'
import { isSuspension } from '../data/problem.ts'
import { useResources } from '../data/resources.ts'
import { useMe } from '../data/session.ts'
import { useTexts } from '../locales/index.ts'
import { Overview } from '../screens/home/Overview.tsx'
import { useAreas, useAreasPending } from './areas.ts'
import { EntryList } from './EntryList.tsx'
import { NotFound, Unavailable, Unloaded } from './NotFound.tsx'

export function Home() {
  const t = useTexts()
  const areas = useAreas()
  const isPending = useAreasPending()
  const { error } = useMe()
  return (
    <Page title={t('welcome', { product: product || t('console') })}>
      {isPending ? (
        <Loading />
      ) : areas.length === 0 ? (
        !isSuspension(error) && <EmptyState icon="shield" title={t('nothingAllowed')} text={t('nothingAllowedText')} />
      ) : (
        <Overview />
      )}
    </Page>
  )
}

export function Area() {
  const { module } = useParams({ strict: false }) as { readonly module: string }
  const t = useTexts()
  const isPending = useAreasPending()
  const entries = useAreas().flatMap(area => area.entries.filter(entry => entry.module === module))
  const { error, refetch } = useResources()
  if (isPending) return <Loading />
  if (error) return <Unloaded module={module} error={error} onRetry={refetch} />
  if (entries.length === 0) return hasArea(module) ? <NotFound /> : <Unavailable />
  return (
    <Page title={areaTitle(module)} crumbs={[{ title: t('home'), href: '/' }]}>
      <div className="cards">
        <div className="card panel">
          <EntryList entries={entries} />
        </div>
      </div>
    </Page>
  )
}
