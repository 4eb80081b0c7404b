/** A run as a timeline: what started it, its steps with their values, and how it ended. */
import {
  type Crumb,
  crumbsOf,
  ErrorState,
  type Fact,
  Facts,
  fill,
  Loading,
  Page,
  RecordCommands,
  type Resource,
  type ResourceScreenProps,
  recordUrl,
  ScreenLink,
  Section,
  StateBadge,
  useGet,
  useReload,
  useResource,
  useScreenTexts,
  workspace,
} from '../../public.ts'
import './automations.css'
import { Timeline } from './Timeline.tsx'
import { texts } from './texts.ts'
import { durationText, formatSecond } from './words.ts'

/** Milliseconds between requests while a run is under way. */
const OPEN_MS = 2000

export default function RunScreen({ resource, id }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const reload = useReload()
  const { data, error, isPending, refetch } = useGet('/v1/automations/runs/{id}', {
    path: { id },
    refreshMs: last => (last?.finishedAt === null ? OPEN_MS : false),
  })
  const automations = useResource('automations', 'list')
  const rows = useResource('collections', data?.collection ?? '')
  if (isPending) return <Loading />
  if (!data) return <ErrorState error={error} onRetry={refetch} />
  const { automation, state, tenantId, rowId, createdAt, finishedAt, wakesAt } = data
  const isHere = tenantId === workspace?.id
  const facts: readonly Fact[] = [
    ['ID', 'id', id],
    [t.workspace, 'tenantId', isHere ? null : tenantId],
  ]
  return (
    <Page
      title={automation}
      crumbs={
        rows && resource.within !== null && rowId !== null ? crumbsOfRow(rows, rowId, resource) : crumbsOf(resource)
      }
      badge={<StateBadge states={resource.states.state} value={state} />}
      actions={
        <RecordCommands
          resource={resource}
          record={data}
          label={automation}
          onChanged={() => reload('/v1/automations/runs/{id}', { id })}
        />
      }
    >
      <div className="run-columns">
        <Section title={t.timeline}>
          <Timeline run={data} />
        </Section>
        <Section title={t.details}>
          <dl className="properties panel">
            {automations && (
              <div>
                <dt>{t.automation}</dt>
                <dd>
                  <ScreenLink to={recordUrl(automations, automation)}>{automation}</ScreenLink>
                </dd>
              </div>
            )}
            {rowId !== null && (
              <div>
                <dt>{t.row}</dt>
                <dd>
                  {rows && isHere ? (
                    <ScreenLink to={recordUrl(rows, rowId)}>{rows.singular}</ScreenLink>
                  ) : (
                    <code>{rowId}</code>
                  )}
                </dd>
              </div>
            )}
            <div>
              <dt>{t.started}</dt>
              <dd>
                <time dateTime={createdAt}>{formatSecond(createdAt)}</time>
              </dd>
            </div>
            {finishedAt !== null && (
              <div>
                <dt>{t.ended}</dt>
                <dd>
                  <time dateTime={finishedAt}>{formatSecond(finishedAt)}</time>
                  <span className="muted">
                    {' '}
                    ({durationText(Date.parse(finishedAt) - Date.parse(createdAt), 'short')})
                  </span>
                </dd>
              </div>
            )}
          </dl>
          {wakesAt !== null && finishedAt === null && (
            <p className="muted">{fill(t.wakesAt, { time: formatSecond(wakesAt) })}</p>
          )}
          <Facts facts={facts} />
        </Section>
      </div>
    </Page>
  )
}

/** A run that is opened from its row leads back to it. */
const crumbsOfRow = (rows: Resource, rowId: string, { title }: Resource): readonly Crumb[] => [
  ...crumbsOf(rows),
  { title: rows.singular, href: recordUrl(rows, rowId) },
  { title, href: `${recordUrl(rows, rowId)}?tab=automations.${rows.name}-runs` },
]
