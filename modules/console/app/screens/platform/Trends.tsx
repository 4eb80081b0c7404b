/** Numbers of the last 14 days or 24 hours: of the installation for operators, else of the workspace. */

import {
  type Api,
  Chart,
  fill,
  formatNumber,
  hasArea,
  type Language,
  languageStore,
  useGet,
  usePermissions,
  useScreenTexts,
} from '../../public.ts'
import styles from './Trends.module.css'
import { trendTexts } from './trend-texts.ts'

/** Others follow in the order of the API. */
const FIRST = ['identity.sign-ups', 'identity.new-members', 'outbox.active-logins', 'comms.emails']
const rankOf = ({ id }: Api.Statistic): number => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length)
const REFRESH_MS = 300_000

export function Trends() {
  const t = useScreenTexts(trendTexts)
  const { may, mayOnPlatform } = usePermissions()
  const isForInstallation = mayOnPlatform('platform.tenant.read_all')
  const { data, error } = useGet('/v1/platform/statistics', {
    isEnabled: isForInstallation || may('platform.statistic.read'),
    refreshMs: REFRESH_MS,
  })
  const statistics = (data?.data ?? []).filter(({ id }) => hasArea(id.replace(/\..*/, '')))
  if (error && !data) return <p className="muted">{t.trendsFailed}</p>
  return statistics.length > 0 ? <Charts statistics={statistics} isForInstallation={isForInstallation} /> : null
}

interface ChartsProps {
  readonly statistics: readonly Api.Statistic[]
  readonly isForInstallation: boolean
}

function Charts({ statistics, isForInstallation }: ChartsProps) {
  const t = useScreenTexts(trendTexts)
  return (
    <section className={styles.section} aria-labelledby="trends">
      <h2 id="trends" className={styles.heading}>
        {t.trends}
        <span className="muted"> · {isForInstallation ? t.wholeInstallation : t.thisWorkspace}</span>
      </h2>
      <ul className={styles.trends}>
        {statistics
          .toSorted((a, b) => rankOf(a) - rankOf(b))
          .map(statistic => (
            <Trend key={statistic.id} statistic={statistic} />
          ))}
      </ul>
    </section>
  )
}

function Trend({ statistic }: { readonly statistic: Api.Statistic }) {
  const { title, unit, step, summary, perProcess, points } = statistic
  const t = useScreenTexts(trendTexts)
  const language = languageStore.get()
  const known = points.filter((point): point is { at: string; value: number } => point.value !== null)
  const last = known.at(-1)?.value
  const total = known.reduce((sum, { value }) => sum + value, 0)
  const greatest = known.reduce<(typeof known)[number] | undefined>(
    (found, point) => (found && found.value >= point.value ? found : point),
    undefined,
  )
  const format = (value: number) => (unit === 'count' ? formatNumber(value) : formatDuration(value, language))
  const current = summary === 'sum' ? total : last
  const shown = current === undefined ? '–' : format(current)
  const period = step === 'day' ? t.lastDays : t.lastHours
  const label = greatest
    ? fill(t.trendText, {
        title,
        period,
        most: format(greatest.value),
        at: formatStep(greatest.at, step, language),
        last: format(last ?? 0),
      })
    : fill(t.trendEmpty, { title, period })
  return (
    <li className={`${styles.trend} panel`}>
      <span>{title}</span>
      <strong>{shown}</strong>
      <Chart
        isSmall
        label={label}
        points={points.map(({ at, value }) => ({ key: at, title: at, tick: at, value }))}
        valueTitle={title}
        timeTitle={period}
        format={format}
      />
      <small className="muted">
        {[
          summary === 'sum' ? period : step === 'day' ? t.today : t.thisHour,
          ...(perProcess ? [t.oneProcess] : []),
        ].join(' · ')}
      </small>
    </li>
  )
}

/** @param value milliseconds. */
const formatDuration = (value: number, language: Language): string =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'millisecond',
    unitDisplay: 'short',
    maximumSignificantDigits: 3,
  }).format(value)

/** Days are those of UTC; hours are shown in the person's time zone. */
const formatStep = (at: string, step: Api.Statistic['step'], language: Language): string =>
  new Intl.DateTimeFormat(
    language,
    step === 'day' ? { dateStyle: 'medium', timeZone: 'UTC' } : { hour: 'numeric', minute: '2-digit' },
  ).format(new Date(at))
