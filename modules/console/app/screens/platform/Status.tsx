import {
  areaCrumbs,
  ErrorState,
  Facts,
  formatNumber,
  keys,
  Loading,
  Page,
  Section,
  useGet,
  useLoad,
  usePermissions,
  useScreenTexts,
} from '../../public.ts'
import './platform.css'
import { Trends } from './Trends.tsx'
import { texts } from './texts.ts'

const REFRESH_MS = 5000

export default function Status() {
  const t = useScreenTexts(texts)
  const { may } = usePermissions()
  const queue = useGet('/v1/platform/queue', { refreshMs: REFRESH_MS })
  const readiness = useLoad(
    keys.load('/v1/health/readiness'),
    async signal => {
      const response = await fetch('/v1/health/readiness', { signal })
      // A body that nobody reads occupies its connection.
      await response.text()
      return response.ok
    },
    { refreshMs: REFRESH_MS },
  )
  const installation = useGet('/v1/platform', { isEnabled: may('platform.info.read') })
  if (queue.error) return <ErrorState error={queue.error} onRetry={queue.refetch} />
  if (queue.isPending) return <Loading />
  const { waiting, pending, dead, oldestSeconds } = queue.data
  const age =
    oldestSeconds === null ? t.queueEmpty : t.seconds.replace('{count}', formatNumber(Math.round(oldestSeconds)))
  return (
    <Page
      title={t.status}
      crumbs={areaCrumbs('platform')}
      badge={
        readiness.data !== undefined && (
          <span className={`badge ${readiness.data ? 'success' : 'danger'}`}>
            {readiness.data ? t.ready : t.notReady}
          </span>
        )
      }
    >
      <Section title={t.queue}>
        <dl className="figures">
          <Figure title={t.waiting} value={formatNumber(waiting)} />
          <Figure title={t.oldest} value={age} />
          <Figure title={t.pending} value={formatNumber(pending)} />
          <Figure title={t.dead} value={formatNumber(dead)} isBad={dead > 0} />
        </dl>
      </Section>
      <Trends />
      {installation.data && (
        <Facts
          facts={[
            [t.version, 'version', installation.data.version],
            [t.url, 'publicUrl', installation.data.publicUrl],
            [t.since, 'startedAt', installation.data.startedAt],
            [t.role, 'role', t.roles[installation.data.role]],
          ]}
        />
      )}
    </Page>
  )
}

interface FigureProps {
  readonly title: string
  readonly value: string
  readonly isBad?: boolean
}
const Figure = ({ title, value, isBad = false }: FigureProps) => (
  <div className={`panel${isBad ? ' bad' : ''}`}>
    <dt>{title}</dt>
    <dd>{value}</dd>
  </div>
)
