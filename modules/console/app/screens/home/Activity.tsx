/** What happened last: the log of the workspace as sentences, and new rows of the product's collections. */
import type { ReactNode } from 'react'
import {
  type Api,
  hasArea,
  labelOf,
  RecordName,
  type Resource,
  type Row,
  recordUrl,
  ScreenLink,
  Section,
  Time,
  useGet,
  useNewest,
  usePermissions,
  useResources,
  useScreenTexts,
} from '../../public.ts'
import { collectionsOf } from './cards.ts'
import styles from './Home.module.css'
import { texts } from './texts.ts'

const MAX_ENTRIES = 8
const MAX_COLLECTIONS = 4
/** Many of them are logins, which aren't shown. */
const READ_ENTRIES = 30
const LOGINS = /^(login|trusted_device)/

interface Entry {
  readonly id: string
  /** RFC 3339. */
  readonly at: string
  readonly text: ReactNode
}

export function Activity() {
  const t = useScreenTexts(texts)
  const { may, mayOnPlatform } = usePermissions()
  const { data: resources = [] } = useResources()
  const mayReadLog = hasArea('platform') && (may('platform.audit.read') || mayOnPlatform('platform.tenant.read_all'))
  const log = useGet('/v1/platform/audit', { query: { limit: READ_ENTRIES }, isEnabled: mayReadLog })
  const newest = useNewest(collectionsOf(resources).slice(0, MAX_COLLECTIONS), MAX_ENTRIES)
  const entries = [
    ...(log.data?.data ?? []).filter(({ action }) => !LOGINS.test(action)).map(entryOf),
    ...newest.flatMap(({ resource, rows }) => rows.map(row => rowEntry(resource, row, t.created))),
  ]
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, MAX_ENTRIES)
  if (entries.length === 0) return null
  return (
    <Section title={t.activity}>
      <ol className={`${styles.activity} panel`}>
        {entries.map(({ id, at, text }) => (
          <li key={id}>
            <p>{text}</p>
            <Time value={at} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

const entryOf = ({ id, createdAt, summary }: Api.AuditRecord): Entry => ({ id, at: createdAt, text: summary })

/** Seeds and automations have nobody's name. */
function rowEntry(resource: Resource, row: Row, created: string): Entry {
  const { id, createdAt, createdBy } = row
  const link = (text: string) => (
    <ScreenLink className="plain" to={recordUrl(resource, String(id))}>
      {text}
    </ScreenLink>
  )
  const label = labelOf(resource, row)
  // Without a name, a row is one of its kind.
  const what =
    label === id ? (
      link(resource.singular)
    ) : (
      <>
        {resource.singular}: {link(label)}
      </>
    )
  return {
    id: String(id),
    at: String(createdAt),
    text:
      typeof createdBy === 'string' ? (
        <>
          <RecordName id={createdBy} as="text" /> {created} {what}
        </>
      ) : (
        what
      ),
  }
}
