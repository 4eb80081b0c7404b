/** Pages that show an image. */
import { Link } from '@tanstack/react-router'
import { hasArea } from '../../browser/document.ts'
import type { PageSummaryList } from '../../data/api-types.ts'
import { useGet } from '../../data/get.ts'
import { useResource } from '../../data/resources.ts'
import { recordUrl } from '../../resource/generic.ts'
import { useMediaTexts } from './texts.ts'

const MAX_LISTED = 50

/** Pages that the person may read; undefined until they are loaded, or without the module content. */
export function useUsage(id: string): PageSummaryList | undefined {
  const pages = useResource('content', 'pages')
  const query = { 'filter[mediaId]': id, limit: MAX_LISTED }
  return useGet<PageSummaryList>('/v1/content/pages', { query, isEnabled: pages !== undefined }).data
}

export function Usage({ usage }: { readonly usage: PageSummaryList }) {
  const c = useMediaTexts()
  const pages = useResource('content', 'pages')
  return (
    <>
      <h2>{c.usedOn}</h2>
      {usage.data.length === 0 && <p className="muted">{c.unused}</p>}
      <ul className="used-on">
        {usage.data.map(({ id, title, path }) => (
          <li key={id}>
            {pages && hasArea('content') ? <Link to={recordUrl(pages, id)}>{title}</Link> : title}{' '}
            <span className="muted">{path}</span>
          </li>
        ))}
      </ul>
      {usage.nextCursor && <p className="muted">{c.moreUses}</p>}
    </>
  )
}
