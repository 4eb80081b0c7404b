/** What needs attention, with links to it. */
import { fill, Icon, ScreenLink, Section, useScreenTexts } from '../../public.ts'
import type { Finding, Notice } from './findings.ts'
import styles from './Home.module.css'
import { type HomeText, texts } from './texts.ts'

interface Props {
  readonly findings: readonly Finding[]
  readonly notices: readonly Notice[]
  /** Checks that failed themselves. */
  readonly failed: readonly HomeText[]
}

export function Attention({ findings, notices, failed }: Props) {
  const t = useScreenTexts(texts)
  const isEmpty = findings.length + notices.length === 0
  return (
    <Section title={t.attention}>
      {isEmpty && failed.length === 0 && (
        <p className={`row ${styles.good}`}>
          <Icon name="circle-check" /> {t.allGood}
        </p>
      )}
      {!isEmpty && (
        <ul className={`${styles.findings} panel`}>
          {notices.map(({ id, tone, values }) => (
            <li key={[id, ...Object.values(values)].join(' ')} data-tone={tone}>
              <div>
                <Icon name="triangle-alert" />
                <span>{fill(t[id], values)}</span>
              </div>
            </li>
          ))}
          {findings.map(({ id, tone, path, filters, count }) => (
            <li key={id} data-tone={tone}>
              <ScreenLink className="plain" to={path} search={filters ? { filters } : {}}>
                <Icon name="triangle-alert" />
                <span>{t[id]}</span>
                <strong>{count}</strong>
                <Icon name="chevron-right" />
              </ScreenLink>
            </li>
          ))}
        </ul>
      )}
      {failed.length > 0 && <p className="muted">{fill(t.unchecked, { names: failed.map(id => t[id]).join(', ') })}</p>}
    </Section>
  )
}
