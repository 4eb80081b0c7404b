/** Audit entries as sentences: who did what, and to whom. */
import { Icon } from '../../components/Icon.tsx'
import { fieldLabel, formatDate, languageStore } from '../../locales/index.ts'
import { type AuditEntry, changesOf, sentenceOf } from './audit.ts'
import { useRoles } from './roles.tsx'
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
  readonly entries: readonly AuditEntry[]
  readonly names: ReadonlyMap<string, string>
  readonly label: string
}

export function AuditEntries({ entries, names, label }: Props) {
  const c = useIdentityTexts()
  const { nameOf } = useRoles()
  const shown = {
    ...{ roleName: nameOf, date: formatDate, label: fieldLabel },
    ...{ permissions: c.someScopes, allPermissions: c.everyPermission },
    cause: { ended: c.causeEnded, expired: c.causeExpired, revoked: c.causeRevoked },
  }
  return (
    <ol className="audit-entries" aria-label={label}>
      {entries.map(entry => (
        <li key={entry.id}>
          <Icon name={ICONS[entry.action.split('.')[0] ?? ''] ?? 'scroll-text'} />
          <div>
            <p>{sentenceOf(entry, names, languageStore.get(), c)}</p>
            <p className="muted">
              <time dateTime={entry.createdAt}>{formatDate(entry.createdAt)}</time>
              {entry.actor.impersonatedBy !== null && ` · ${c.supportBy}`}
              {entry.actor.kind === 'apiKey' && ` · ${c.byApiKey}`}
              {changesOf(entry, shown) && ` · ${changesOf(entry, shown)}`}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}
