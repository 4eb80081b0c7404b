/** What each change of a flag changed, by whom, and restoring what it contained before. */
import {
  type Api,
  api,
  Badge,
  ConfirmButton,
  ErrorState,
  fill,
  formatDate,
  Loading,
  labelIn,
  RecordName,
  type RecordTabProps,
  TextDiff,
  useAction,
  useGet,
  useRecord,
  useRefresh,
  useReload,
} from '../../public.ts'
import { useFeatureTexts } from './texts.ts'
import './features.css'

/** What restoring a revision writes, in the order in which it is shown. */
const FIELDS = ['name', 'description', 'enabled', 'default', 'rules', 'bucketBy', 'requires', 'entitlement'] as const
const MAX_REVISIONS = 50

export default function History({ resource, record }: RecordTabProps<Api.Flag>) {
  const c = useFeatureTexts()
  const refresh = useRefresh(resource)
  const reload = useReload()
  const { isBusy, run } = useAction({ onDone: () => Promise.all([refresh(), reload('/v1/features')]) })
  const { key } = record
  const path = { key }
  const current = useRecord<'/v1/features/{key}'>(resource, key)
  const { data, error, refetch } = useGet('/v1/features/{key}/history', { path, query: { limit: MAX_REVISIONS } })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Loading />
  const revisions = data.data
  const { update } = resource.operations
  const restore = (revision: Api.FlagRevision) => {
    const body: Api.UpdateFlagInput = Object.fromEntries(FIELDS.map(name => [name, revision[name]]))
    const etag = current.data?.etag
    return run(
      () => api.patch('/v1/features/{key}', { path, body, etag }),
      fill(c.restored, { number: revision.revision }),
    )
  }
  if (revisions.length === 0) return <p className="muted">{c.historyOfRecipe}</p>
  return (
    <ol className="revisions" aria-label={c.history}>
      {revisions.map((revision, index) => {
        const before = revisions[index + 1]
        const changed = before ? FIELDS.filter(name => textOf(before[name]) !== textOf(revision[name])) : []
        return (
          <li key={revision.revision}>
            <div className="row spread">
              <p>
                <strong>{fill(c.revision, { number: revision.revision })}</strong>{' '}
                {index === 0 && <Badge text="current" label={c.current} />}{' '}
                <span className="muted">
                  <time dateTime={revision.changedAt}>{formatDate(revision.changedAt)}</time>
                  {' · '}
                  {revision.changedBy === null ? c.fromRecipe : <RecordName id={revision.changedBy} />}
                </span>
              </p>
              {update && index > 0 && (
                <ConfirmButton
                  kind="quiet"
                  icon="history"
                  title={`${fill(c.restore, { number: revision.revision })}?`}
                  text={c.restoreText}
                  confirm={fill(c.restore, { number: revision.revision })}
                  isBusy={isBusy}
                  onConfirm={() => restore(revision)}
                />
              )}
            </div>
            {before && changed.length === 0 && <p className="muted">{c.sameContent}</p>}
            {before &&
              changed.map(name => (
                <section key={name} aria-label={labelIn(resource, name)}>
                  <h2>{labelIn(resource, name)}</h2>
                  <TextDiff before={textOf(before[name])} after={textOf(revision[name])} />
                </section>
              ))}
            {!before && revision.revision === 1 && <p className="muted">{c.created}</p>}
          </li>
        )
      })}
    </ol>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
