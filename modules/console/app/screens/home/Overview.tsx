/**
 * The home screen: what needs attention, how much there is, trends, and below them the children. A part appears when those
 * above it are complete, so that nothing moves.
 */

import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react'
import { fill, Icon, Loading, languageStore, ScreenLink, Section, useScreenTexts, useStore } from '../../public.ts'
import { useFindings, useHomeCounts, useNotices } from './checks.ts'
import './home.css'
import { texts } from './texts.ts'

// Loaded after the first screen.
const Trends = lazy(() => import('./Trends.tsx'))

export function Overview({ children }: { readonly children: ReactNode }) {
  const language = useStore(languageStore)
  const t = useScreenTexts(texts)
  const { findings, failed, isPending: areFindingsPending } = useFindings()
  const { counts, isPending: areCountsPending } = useHomeCounts()
  const { notices, isPending: areNoticesPending } = useNotices(instant =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(instant)),
  )
  // Deferred, so that a long task is split.
  const isPending = useDeferredValue(areFindingsPending || areCountsPending || areNoticesPending)
  if (isPending) return <Loading />
  const isEmpty = findings.length + notices.length === 0
  return (
    <>
      <Section className="overview" title={t.attention}>
        {isEmpty && failed.length === 0 && (
          <p className="row all-good">
            <Icon name="circle-check" /> {t.allGood}
          </p>
        )}
        {!isEmpty && (
          <ul className="findings panel">
            {notices.map(({ id, tone, values }) => (
              <li key={[id, ...Object.values(values)].join(' ')} className={tone}>
                <div>
                  <Icon name="triangle-alert" />
                  <span>{fill(t[id], values)}</span>
                </div>
              </li>
            ))}
            {findings.map(({ id, tone, path, filters, count }) => (
              <li key={id} className={tone}>
                <ScreenLink className="plain" to={path} search={filters ? { filters } : {}}>
                  <Icon name={tone === 'neutral' ? 'inbox' : 'triangle-alert'} />
                  <span>{t[id]}</span>
                  <strong>{count}</strong>
                  <Icon name="chevron-right" />
                </ScreenLink>
              </li>
            ))}
          </ul>
        )}
        {failed.length > 0 && (
          <p className="muted">{fill(t.unchecked, { names: failed.map(id => t[id]).join(', ') })}</p>
        )}
      </Section>
      {counts.length > 0 && (
        <Section className="overview" title={t.glance}>
          <div className="stats">
            {counts.map(({ id, title, path, text }) => (
              <ScreenLink key={id} className="stat panel" to={path}>
                <span>{title}</span>
                <strong>{text}</strong>
              </ScreenLink>
            ))}
          </div>
        </Section>
      )}
      <Suspense fallback={<Loading />}>
        <Trends>
          <h2 className="overview-areas">{t.areas}</h2>
          {children}
        </Trends>
      </Suspense>
    </>
  )
}
