import { Cell, ErrorState, formatDate, Icon, Loading, useGet } from '../../public.ts'
import { useIdentityTexts } from './texts.ts'
import './identity.css'

const ICONS: Readonly<Record<string, string>> = {
  tenant: 'building-2',
  member: 'users',
  invitation: 'user-plus',
  role: 'shield',
  api_key: 'key-round',
  login: 'monitor-smartphone',
}

interface Props {
  readonly query: { readonly 'filter[userId]': string } | { readonly 'filter[tenantId]': string }
}
const MAX_ENTRIES = 15

/** The newest entries of the operator's log about a person or a workspace, as sentences. */
export function RecentEntries({ query }: Props) {
  const c = useIdentityTexts()
  const { data, error, isPending, refetch } = useGet('/v1/platform/audit', {
    query: { ...query, limit: MAX_ENTRIES },
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  if (data.data.length === 0) return <p className="muted">{c.noEntriesText}</p>
  return (
    <ol className="entries panel" aria-label={c.recent}>
      {data.data.map(entry => (
        <li key={entry.id}>
          <Icon name={ICONS[entry.action.split('.')[0] ?? ''] ?? 'scroll-text'} />
          <div>
            <p>{entry.summary}</p>
            <p className="muted">
              <time dateTime={entry.createdAt}>{formatDate(entry.createdAt)}</time>
              {entry.actor.impersonatedBy !== null && ` · ${c.supportBy}`}
              {entry.actor.kind === 'apiKey' && ` · ${c.byApiKey}`}
              {Object.entries(entry.facts).map(([label, value]) => (
                <span key={label}>
                  {` · ${label}: `}
                  <Cell name={label} value={value} />
                </span>
              ))}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}
