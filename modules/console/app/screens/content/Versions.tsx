/** Versions of a page: differences to the current text, and restoring one. */

import { useState } from 'react'
import {
  type Answer,
  type Api,
  api,
  Badge,
  ConfirmButton,
  EmptyState,
  ErrorState,
  fill,
  formatDate,
  keys,
  Loading,
  RecordName,
  TextDiff,
  toast,
  useAction,
  useGet,
  useLoad,
} from '../../public.ts'
import { useContentTexts } from './texts.ts'

interface Props {
  readonly page: Api.PageSummary
  /** The text in the editor. */
  readonly text: string
  readonly etag: string | null | undefined
  readonly isReadOnly: boolean
  readonly onRestored: (page: Answer<Api.Page>) => void
}

export function Versions({ page, text, etag, isReadOnly, onRestored }: Props) {
  const c = useContentTexts()
  const path = { id: page.id }
  const [chosen, setChosen] = useState<number>()
  const { isBusy, run } = useAction()
  const { data, error, refetch } = useLoad(
    keys.load('/v1/content/pages/{id}/versions', page.id, page.version),
    async signal =>
      (await api.get('/v1/content/pages/{id}/versions', { path, query: { limit: 200 }, signal })).body.data,
  )
  const restore = async () => {
    const input = { path: { ...path, version: String(chosen) }, etag }
    const restored = await run(() => api.post('/v1/content/pages/{id}/versions/{version}/restore', input))
    if (!restored) return
    toast(fill(c.restored, { number: chosen ?? '' }))
    onRestored(restored)
  }
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Loading />
  return (
    <div className="versions">
      <ul aria-label={c.versions}>
        {data.map(({ version, title, published, createdBy, createdAt }) => (
          <li key={version}>
            <button type="button" aria-pressed={version === chosen} onClick={() => setChosen(version)}>
              <span className="row">
                <strong>{fill(c.version, { number: version })}</strong>
                {version === page.version && <Badge text="current" label={c.current} />}
                {published && <Badge text="live" label={c.live} />}
              </span>
              <span>{title}</span>
              <span className="muted">
                {formatDate(createdAt)}
                {' · '}
                {createdBy === null ? c.byRecipe : <RecordName id={createdBy} as="text" />}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className="version-diff">
        {chosen === undefined ? (
          <EmptyState icon="history" title={c.chooseVersion} text={c.chooseVersionText} />
        ) : (
          <>
            <div className="row spread">
              <h2>{fill(c.changesSince, { number: chosen })}</h2>
              {chosen !== page.version && !isReadOnly && (
                <ConfirmButton
                  icon="history"
                  title={`${fill(c.restore, { number: chosen })}?`}
                  text={fill(c.restoreText, { number: chosen })}
                  confirm={fill(c.restore, { number: chosen })}
                  isBusy={isBusy}
                  onConfirm={restore}
                />
              )}
            </div>
            <Difference path={{ ...path, version: String(chosen) }} text={text} />
          </>
        )}
      </div>
    </div>
  )
}

interface DifferenceProps {
  readonly path: { readonly id: string; readonly version: string }
  readonly text: string
}

function Difference({ path, text }: DifferenceProps) {
  const c = useContentTexts()
  const { data, error, refetch } = useGet('/v1/content/pages/{id}/versions/{version}', { path })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Loading />
  if (data.body === text) return <p className="muted">{c.sameText}</p>
  return <TextDiff before={data.body} after={text} />
}
