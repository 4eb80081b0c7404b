/** A module with everything that it registered. */
import {
  CodeBlock,
  crumbsOf,
  ErrorState,
  Loading,
  labelIn,
  Page,
  type ResourceScreenProps,
  type Row,
  Section,
  StateBadge,
  useRecord,
  useScreenTexts,
} from '../../public.ts'
import './platform.css'
import { texts } from './texts.ts'

const KINDS = [
  'routes',
  'pages',
  'sockets',
  'permissions',
  'roles',
  'events',
  'listeners',
  'jobs',
  'resources',
  'mails',
  'migrations',
  'needs',
  'provides',
]

/** What identifies a registration, and what explains it. */
function lineOf(entry: unknown): readonly [name: string, note: string] {
  if (typeof entry !== 'object' || entry === null) return [String(entry), '']
  const { method, path, key, type, name, event, handler, summary, title, every, allow, scope } = entry as Row
  if (event !== undefined) return [String(event), String(handler ?? '')]
  const called = [method, path ?? key ?? type ?? name].filter(part => part !== undefined).join(' ')
  const note = summary ?? title ?? every ?? scope ?? (Array.isArray(allow) ? allow.join(', ') : '')
  return [called, String(note ?? '')]
}

export default function ModuleScreen({ resource, id }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const { data, error, isPending, refetch } = useRecord(resource, id, {})
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const module = data.body
  const filled = KINDS.flatMap(kind => {
    const entries = module[kind]
    return Array.isArray(entries) && entries.length > 0 ? [{ kind, entries: entries as readonly unknown[] }] : []
  })
  return (
    <Page
      title={String(module.key)}
      crumbs={crumbsOf(resource)}
      badge={
        <>
          <StateBadge states={resource.states.state} value={String(module.state)} />
          <span className="muted">{String(module.version)}</span>
        </>
      }
    >
      <p className="lead">{String(module.summary ?? '')}</p>
      {typeof module.reason === 'string' && <p className="notice danger">{module.reason}</p>}
      {filled.length === 0 && <p className="muted">{t.nothing}</p>}
      <div className="registrations">
        {filled.map(({ kind, entries }) => (
          <details key={kind} className="registration panel">
            <summary>
              <h2>{labelIn(resource, kind)}</h2>
              <span className="count">{entries.length}</span>
            </summary>
            <ul>
              {entries.map(entry => {
                const [name, note] = lineOf(entry)
                return (
                  <li key={`${name} ${note}`}>
                    <code>{name}</code>
                    {note !== '' && <span className="muted">{note}</span>}
                  </li>
                )
              })}
            </ul>
          </details>
        ))}
      </div>
      {module.options !== undefined && (
        <Section className="platform-section" title={t.options}>
          <CodeBlock text={JSON.stringify(module.options, null, 2)} />
        </Section>
      )}
    </Page>
  )
}
