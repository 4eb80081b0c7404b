/** One chart with a choice of what it shows and for how long, compared with the period before. */
import { useState } from 'react'
import {
  type Api,
  Chart,
  type ChartPoint,
  ErrorState,
  fill,
  formatDay,
  formatMoney,
  formatNumber,
  formatPercent,
  inSentence,
  isAwaited,
  Loading,
  languageStore,
  useDocument,
  useGet,
  useGetAt,
  useScreenTexts,
} from '../../public.ts'
import {
  type BusinessChart,
  type ChartCard,
  type Counted,
  countPath,
  dayBefore,
  PERIODS,
  periodOf,
  type RowChart,
  revenueQuery,
  STANDARD,
  type Step,
} from './cards.ts'
import styles from './Home.module.css'
import { texts } from './texts.ts'

const REFRESH_MS = 300_000

export function MainChart({ charts }: { readonly charts: readonly ChartCard[] }) {
  const t = useScreenTexts(texts)
  const [chosen, setChosen] = useState('')
  const [size, setSize] = useState(STANDARD)
  const first = charts[0]
  // Until somebody pays, sign-ups say more than a revenue of 0.
  const revenue = useGet('/v1/billing/admin/revenue', {
    query: revenueQuery(),
    isEnabled: first?.kind === 'revenue' && chosen === '',
    freshMs: REFRESH_MS,
  })
  if (isAwaited(revenue))
    return (
      <section className={`${styles.chart} panel`}>
        <FiguresLoading />
      </section>
    )
  const isUnpaid = first?.kind === 'revenue' && !revenue.data?.data.some(({ currencies }) => currencies.length > 0)
  const standard = isUnpaid ? charts.find(({ kind }) => kind === 'signUps') : first
  const chart = charts.find(({ id }) => id === chosen) ?? standard
  if (!chart) return null
  const count = PERIODS[chart.by][size] ?? PERIODS[chart.by][STANDARD]
  const titleOf = (each: ChartCard) => (each.kind === 'rows' ? each.title : t[each.kind])
  const periodText = fill(t[`last_${chart.by}`], { count })
  return (
    <section className={`${styles.chart} panel`} aria-label={titleOf(chart)}>
      <header>
        {charts.length > 1 ? (
          <select
            aria-label={t.shownChart}
            value={chart.id}
            onChange={({ target }) => {
              setChosen(target.value)
            }}
          >
            {charts.map(each => (
              <option key={each.id} value={each.id}>
                {titleOf(each)}
              </option>
            ))}
          </select>
        ) : (
          <h2>{titleOf(chart)}</h2>
        )}
        <select aria-label={t.period} value={size} onChange={({ target }) => setSize(Number(target.value))}>
          {PERIODS[chart.by].map((each, index) => (
            <option key={each} value={index}>
              {fill(t[`last_${chart.by}`], { count: each })}
            </option>
          ))}
        </select>
      </header>
      {chart.kind === 'rows' ? (
        <RowsChart key={chart.id} chart={chart} count={count} period={periodText} />
      ) : (
        <BusinessFigures chart={chart} count={count} period={periodText} />
      )}
    </section>
  )
}

/** As high as the figures, so that what follows doesn't move. */
const FiguresLoading = () => (
  <div className={styles.pending}>
    <Loading />
  </div>
)

interface OfChart<Card> {
  readonly chart: Card
  /** Steps of this period; as many are before it. */
  readonly count: number
  readonly period: string
}

function RowsChart(props: OfChart<RowChart>) {
  return props.chart.sum === null ? <RowFigures {...props} /> : <SummedFigures {...props} sum={props.chart.sum} />
}

/** The currency of amounts is in the API document. */
function SummedFigures({ sum, ...props }: OfChart<RowChart> & { readonly sum: string }) {
  const { data } = useDocument()
  if (!data) return <FiguresLoading />
  const { currency } = data.collection(props.chart.resource.operations.list.id)?.fields[sum] ?? {}
  return <RowFigures {...props} currency={currency} />
}

function RowFigures({
  chart,
  count,
  period,
  currency,
}: OfChart<RowChart> & { readonly currency?: string | undefined }) {
  const t = useScreenTexts(texts)
  const { by, sum } = chart
  const { data, error, refetch } = useGetAt<Counted>(
    countPath(chart, periodOf(chart, count)),
    {},
    { refreshMs: REFRESH_MS },
  )
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <FiguresLoading />
  const format = currency === undefined ? formatNumber : (value: number) => formatMoney(value, currency)
  const values = data.data.map(({ start = '', count: rows, sum: sums }) => ({
    start,
    value: sum === null ? rows : (sums?.[sum] ?? 0),
  }))
  return (
    <Compared
      label={`${chart.title}, ${period}`}
      valueTitle={chart.title}
      values={values}
      count={count}
      by={by}
      format={format}
      currency={currency}
      empty={fill(t.noRows, { name: inSentence(chart.title) })}
    />
  )
}

function BusinessFigures({ chart: { kind }, count, period }: OfChart<BusinessChart>) {
  const t = useScreenTexts(texts)
  const { data, error, refetch } = useGet('/v1/billing/admin/revenue', {
    query: revenueQuery(count),
    refreshMs: REFRESH_MS,
    freshMs: REFRESH_MS,
  })
  if (error && !data) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <FiguresLoading />
  const currency = currencyOf(data.data)
  const known = new Map(data.data.map(each => [each.start, each]))
  // Days before the first figure are left out of the answer.
  const values = Array.from({ length: 2 * count }, (_, at) => dayBefore(2 * count - 1 - at, 'day')).map(start => {
    const found = known.get(start)
    const recurring = found?.currencies.find(each => each.currency === currency)?.recurring ?? 0
    return { start, value: found ? (kind === 'signUps' ? found.signUps : recurring) : null }
  })
  const isMoney = kind === 'revenue' && currency !== undefined
  return (
    <Compared
      label={`${t[kind]}, ${period}`}
      valueTitle={t[kind]}
      values={values}
      count={count}
      by="day"
      isLevel={kind === 'revenue'}
      format={isMoney ? value => formatMoney(value, currency) : formatNumber}
      currency={isMoney ? currency : undefined}
      empty={kind === 'revenue' ? t.noRevenue : t.noSignUps}
    />
  )
}

/** The one of the greatest revenue at the end. */
const currencyOf = (periods: readonly Api.RevenuePeriod[]): string | undefined =>
  [...(periods.at(-1)?.currencies ?? [])].sort((a, b) => b.subscriptions - a.subscriptions)[0]?.currency

interface ComparedProps {
  readonly label: string
  readonly valueTitle: string
  /** Those of the period before, then those of this one. */
  readonly values: readonly { readonly start: string; readonly value: number | null }[]
  readonly count: number
  readonly by: Step
  /** Whether the last value counts, and not their sum. */
  readonly isLevel?: boolean
  readonly format: (value: number) => string
  readonly currency: string | undefined
  readonly empty: string
}

function Compared({ label, valueTitle, values, count, by, isLevel = false, format, currency, empty }: ComparedProps) {
  const t = useScreenTexts(texts)
  const [before, current] = [values.slice(0, -count), values.slice(-count)]
  const [now, then] = [current, before].map(each => totalOf(each, isLevel))
  const tick = new Intl.DateTimeFormat(languageStore.get(), {
    timeZone: 'UTC',
    ...(by === 'month' ? { month: 'short', year: '2-digit' } : { month: 'short', day: 'numeric' }),
  })
  const points = current.map(
    ({ start, value }, at): ChartPoint => ({
      key: start,
      title: titleOf(start, by, t.weekOf),
      tick: tick.format(new Date(start)),
      value,
      before: before[at]?.value ?? null,
    }),
  )
  const beforeTitle = fill(t[`before_${by}`], { count })
  const isEmpty = [...before, ...current].every(({ value }) => !value)
  return (
    <>
      <p className={styles.total}>
        <strong>{now === undefined ? '–' : format(now)}</strong>
        <span className="muted">
          {changeText(now, then)}{' '}
          {then !== undefined && fill(t.comparedWith, { value: format(then), period: beforeTitle })}
        </span>
      </p>
      {isEmpty ? (
        <p className={styles.empty}>{empty}</p>
      ) : (
        <Chart
          label={label}
          points={points}
          valueTitle={valueTitle}
          beforeTitle={beforeTitle}
          timeTitle={t[by]}
          format={format}
          currency={currency}
        />
      )}
    </>
  )
}

const titleOf = (start: string, by: Step, weekOf: string): string => {
  if (by === 'day') return formatDay(start)
  if (by === 'week') return fill(weekOf, { day: formatDay(start) })
  return new Intl.DateTimeFormat(languageStore.get(), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(start),
  )
}

/** Undefined if nothing was measured. */
function totalOf(values: ComparedProps['values'], isLevel: boolean): number | undefined {
  const known = values.flatMap(({ value }) => (value === null ? [] : [value]))
  if (known.length === 0) return undefined
  return isLevel ? known.at(-1) : known.reduce((sum, value) => sum + value, 0)
}

/** Empty without anything to compare with. */
export function changeText(now: number | undefined, then: number | undefined): string {
  if (now === undefined || then === undefined || then === 0) return ''
  const change = (now - then) / Math.abs(then)
  return `${change > 0 ? '+' : ''}${formatPercent(change)}`
}
