/** Pages that show an image. */
import { type Api, hasArea, recordUrl, ScreenLink, useGet, useResource } from '../../public.ts'
import { useMediaTexts } from './texts.ts'

const MAX_LISTED = 50

/** Pages that the person may read; undefined until they are loaded, or without the module content. */
export function useUsage(id: string): Api.PageSummaryList | undefined {
  const pages = useResource('content', 'pages')
  const query = { 'filter[mediaId]': id, limit: MAX_LISTED }
  return useGet('/v1/content/pages', { query, isEnabled: pages !== undefined }).data
}

export function Usage({ usage }: { readonly usage: Api.PageSummaryList }) {
  const c = useMediaTexts()
  const pages = useResource('content', 'pages')
  return (
    <>
      <h2>{c.usedOn}</h2>
      {usage.data.length === 0 && <p className="muted">{c.unused}</p>}
      <ul className="used-on">
        {usage.data.map(({ id, title, path }) => (
          <li key={id}>
            {pages && hasArea('content') ? (
              <ScreenLink className="plain" to={recordUrl(pages, id)}>
                {title}
              </ScreenLink>
            ) : (
              title
            )}{' '}
            <span className="muted">{path}</span>
          </li>
        ))}
      </ul>
      {usage.nextCursor && <p className="muted">{c.moreUses}</p>}
    </>
  )
}
