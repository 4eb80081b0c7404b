/** Shows a property of a record. All values are text: nothing of a record is read as markup. */
import { fieldLabel, formatDate, formatNumber, useTexts } from '../locales/index.ts'
import { Badge } from './Badge.tsx'
import { Icon } from './Icon.tsx'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const STATE = /(^|\.)(status|state|visibility|kind|type)$/i
/** Longer texts are cut in a cell. */
const MAX_CELL_LENGTH = 120

export function Cell({ name, value }: { readonly name: string; readonly value: unknown }) {
  const t = useTexts()
  if (value === undefined || value === null || value === '') return <span className="muted">–</span>
  if (typeof value === 'boolean')
    return (
      <span className={value ? 'yes' : 'muted'}>
        {value ? (
          <>
            <Icon name="check" /> {t('yes')}
          </>
        ) : (
          t('no')
        )}
      </span>
    )
  if (typeof value === 'number') return <span className="number">{formatNumber(value)}</span>
  if (typeof value === 'string') {
    if (INSTANT.test(value)) return <time dateTime={value}>{formatDate(value)}</time>
    if (STATE.test(name) && /^[\w-]{2,24}$/.test(value)) return <Badge text={value} />
    return <>{value.length > MAX_CELL_LENGTH ? `${value.slice(0, MAX_CELL_LENGTH)}…` : value}</>
  }
  return <>{summaryOf(value)}</>
}

export function summaryOf(value: unknown): string {
  if (Array.isArray(value)) {
    const texts = value.map(item => (typeof item === 'object' && item !== null ? summaryOf(item) : String(item)))
    return texts.length > 3 ? `${texts.slice(0, 3).join(', ')} +${texts.length - 3}` : texts.join(', ') || '–'
  }
  if (typeof value === 'object' && value !== null) {
    const record = value as Record<string, unknown>
    const name = record.title ?? record.name ?? record.label ?? record.key ?? record.email ?? record.id
    return typeof name === 'string'
      ? name
      : Object.keys(record)
          .map(key => fieldLabel(key))
          .join(', ') || '–'
  }
  return String(value ?? '–')
}

/** On the page of a record: texts in full, objects as a list of their properties. */
export function FullValue({
  name,
  value,
  depth = 0,
}: {
  readonly name: string
  readonly value: unknown
  readonly depth?: number
}) {
  const t = useTexts()
  if (value === undefined || value === null || value === '') return <span className="muted">{t('notSet')}</span>
  if (typeof value === 'string' && value.length > MAX_CELL_LENGTH) return <pre className="prose">{value}</pre>
  if (typeof value !== 'object') return <Cell name={name} value={value} />
  const isPlainList = Array.isArray(value) && value.every(item => typeof item !== 'object')
  if (isPlainList) return value.length > 0 ? value.map(String).join(', ') : <span className="muted">{t('none')}</span>
  if (depth > 2 || Array.isArray(value)) return <pre className="code">{JSON.stringify(value, null, 2)}</pre>
  const entries = Object.entries(value)
  if (entries.length === 0) return <span className="muted">{t('notSet')}</span>
  return (
    <dl className="properties nested">
      {entries.map(([key, inner]) => (
        <div key={key}>
          <dt>{fieldLabel(key)}</dt>
          <dd>
            <FullValue name={key} value={inner} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
