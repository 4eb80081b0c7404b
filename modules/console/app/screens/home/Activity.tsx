/** What happened last, in sentences: the log of the workspace, and what people did to records. */
import { Fragment, type ReactNode } from 'react'
import { type Api, RecordName, Section, Time, useGet, useScreenTexts } from '../../public.ts'
import styles from './Home.module.css'
import { type HomePlan, MAX_ENTRIES, READ_ENTRIES } from './plan.ts'
import { texts } from './texts.ts'

/** Logins, and accepted invitations: beside each stands that the person joined. */
const UNTOLD = /^(login|trusted_device|invitation\.accepted)/

interface Entry {
  readonly id: string
  /** RFC 3339. */
  readonly at: string
  readonly text: ReactNode
  /** The kind of record. */
  readonly kind?: string
}

export function Activity({ plan: { showsLog } }: { readonly plan: HomePlan }) {
  const t = useScreenTexts(texts)
  const log = useGet('/v1/platform/audit', { query: { limit: READ_ENTRIES }, isEnabled: showsLog })
  const activity = useGet('/v1/platform/activity', { query: { limit: MAX_ENTRIES } })
  const entries = [
    ...(log.data?.data ?? []).filter(({ action }) => !UNTOLD.test(action)).map(logEntry),
    ...(activity.data?.data ?? []).map(deedEntry),
  ]
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, MAX_ENTRIES)
  if (entries.length === 0) return null
  return (
    <Section title={t.activity}>
      <ol className={`${styles.activity} panel`}>
        {entries.map(({ id, at, text, kind }) => (
          <li key={id}>
            <p>{text}</p>
            <small>
              {kind && `${kind} · `}
              <Time value={at} />
            </small>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const logEntry = ({ id, createdAt, summary }: Api.AuditRecord): Entry => ({ id, at: createdAt, text: summary })

function deedEntry({ id, createdAt, sentence, actorId, subjectId, kind }: Api.ActivityEntry): Entry {
  const names: Readonly<Record<string, ReactNode>> = {
    '{actor}': actorId && <RecordName id={actorId} as="text" />,
    '{subject}': <RecordName id={subjectId} />,
  }
  const parts = sentence.split(/(\{\w+\})/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity of their own
    <Fragment key={index}>{Object.hasOwn(names, part) ? names[part] : part}</Fragment>
  ))
  return { id, at: createdAt, text: parts, kind }
}
