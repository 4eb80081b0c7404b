import { Link, useParams } from '@tanstack/react-router'
import { EmptyState, Loading } from '../components/EmptyState.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { useDocument } from '../data/document.ts'
import { useResources } from '../data/resources.ts'
import { useTexts } from '../locales/index.ts'
import { Overview } from '../screens/home/Overview.tsx'
import { type Area as AreaEntries, areaTitle, useAreas } from './areas.ts'
import { NotFound } from './NotFound.tsx'

export function Home() {
  const t = useTexts()
  const areas = useAreas()
  const { isPending } = useResources()
  const { data: document } = useDocument()
  return (
    <Page title={t('welcome', { product: document?.product ?? t('console') })}>
      {isPending ? (
        <Loading />
      ) : areas.length === 0 ? (
        <EmptyState icon="shield" title={t('nothingAllowed')} text={t('nothingAllowedText')} />
      ) : (
        <>
          <Overview />
          <div className="cards">
            {areas.map(area => (
              <AreaCard key={area.id} area={area} />
            ))}
          </div>
        </>
      )}
    </Page>
  )
}

const AreaCard = ({ area: { title, entries } }: { readonly area: AreaEntries }) => (
  <div className="card">
    <h2>{title}</h2>
    <ul>
      {entries.map(entry => (
        <li key={entry.id}>
          <Link to={entry.path}>
            <Icon name={entry.icon} />
            {entry.title}
          </Link>
        </li>
      ))}
    </ul>
  </div>
)

export function Area() {
  const { module } = useParams({ strict: false }) as { readonly module: string }
  const t = useTexts()
  const { isPending } = useResources()
  const area = useAreas().find(({ id }) => id === module)
  if (isPending) return <Loading />
  if (!area) return <NotFound />
  return (
    <Page title={areaTitle(module)} crumbs={[{ title: t('home'), href: '/' }]}>
      <div className="cards">
        <AreaCard area={area} />
      </div>
    </Page>
  )
}
