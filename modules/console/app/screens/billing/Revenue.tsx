/** Numbers of the business: recurring revenue, trials and sign-ups, month by month. */
import { type ReactNode, useState } from 'react'
import {
  type Api,
  areaCrumbs,
  Button,
  Chart,
  ErrorState,
  FilterSelect,
  fill,
  formatDate,
  formatMoney,
  formatNumber,
  formatPercent,
  getCsv,
  Loading,
  languageStore,
  Page,
  Section,
  saveFile,
  useAction,
  useGet,
  useScreenTexts,
} from '../../public.ts'
import styles from './Revenue.module.css'
import { revenueTexts } from './revenue-texts.ts'

type Period = Api.RevenuePeriod

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const NOTHING = {
  recurring: 0,
  new: 0,
  expansion: 0,
  contraction: 0,
  lost: 0,
  subscriptions: 0,
  newSubscriptions: 0,
  lostSubscriptions: 0,
  plans: [],
}

export default function Revenue() {
  const t = useScreenTexts(revenueTexts)
  const [chosen, setChosen] = useState('')
  const { data, error, isPending, refetch } = useGet('/v1/billing/admin/revenue', { query: { timeZone } })
  const { isBusy, run } = useAction()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const currencies = [...new Set(data.data.flatMap(period => period.currencies.map(one => one.currency)))]
  const currency = currencies.includes(chosen) ? chosen : (data.data.at(-1)?.currencies[0]?.currency ?? currencies[0])
  const save = () =>
    run(async () => saveFile('revenue.csv', await getCsv('/v1/billing/admin/revenue', { query: { timeZone } })))
  return (
    <Page
      title={t.title}
      crumbs={areaCrumbs('billing')}
      actions={
        <>
          {currencies.length > 1 && (
            <FilterSelect
              label={t.currency}
              value={currency ?? ''}
              all={null}
              options={currencies.map(code => [code, code])}
              onChange={setChosen}
            />
          )}
          <Button kind="quiet" icon="download" isDisabled={isBusy} onPress={save}>
            {t.exportCsv}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Figures periods={data.data} current={data.current} currency={currency} />
        <Recurring periods={data.data} currency={currency} />
        <Months periods={data.data} currency={currency} />
        <Plans period={data.data.at(-1)} currency={currency} />
        <p className="hint">
          {fill(t.since, { date: formatDate(data.since) })} {t.meaning}
          {data.current.given > 0 && ` ${fill(t.given, { count: formatNumber(data.current.given) })}`}
        </p>
      </div>
    </Page>
  )
}

const inCurrency = ({ currencies }: Period, currency: string | undefined) =>
  currencies.find(one => one.currency === currency) ?? NOTHING

interface OfCurrency {
  /** Undefined if nobody has ever paid. */
  readonly currency: string | undefined
}

function Figures({
  periods,
  current,
  currency,
}: OfCurrency & { readonly periods: readonly Period[]; readonly current: Api.CurrentSubscriptions }) {
  const t = useScreenTexts(revenueTexts)
  const [before, last] = [periods.at(-2), periods.at(-1)]
  if (!last) return null
  const now = inCurrency(last, currency)
  const money = (amount: number) => (currency === undefined ? '–' : formatMoney(amount, currency))
  const change = before && now.recurring - inCurrency(before, currency).recurring
  return (
    <ul className={styles.figures}>
      <Figure title={t.recurring} value={money(now.recurring)}>
        {change === undefined ? t.perMonth : fill(t.change, { amount: signed(change, money) })}
      </Figure>
      <Figure title={t.subscriptions} value={formatNumber(now.subscriptions)}>
        {fill(t.beganAndEnded, {
          began: formatNumber(now.newSubscriptions),
          ended: formatNumber(now.lostSubscriptions),
        })}
      </Figure>
      <Figure title={t.trials} value={formatNumber(current.trialing)}>
        {fill(t.trialsEnd, { count: formatNumber(current.trialsEndingIn7Days) })}
      </Figure>
      {last.signUps !== null && (
        <Figure title={t.signUps} value={formatNumber(last.signUps)}>
          {last.signUpConversion === null ? t.thisMonth : fill(t.paid, { share: formatPercent(last.signUpConversion) })}
        </Figure>
      )}
      {last.activePeople !== null && (
        <Figure title={t.activePeople} value={formatNumber(last.activePeople)}>
          {t.thisMonth}
        </Figure>
      )}
    </ul>
  )
}

const signed = (amount: number, money: (amount: number) => string): string =>
  amount > 0 ? `+${money(amount)}` : money(amount)

function Figure({
  title,
  value,
  children,
}: {
  readonly title: string
  readonly value: string
  readonly children: ReactNode
}) {
  return (
    <li className={`${styles.figure} panel`}>
      <span className="muted">{title}</span>
      <strong>{value}</strong>
      <small className="muted">{children}</small>
    </li>
  )
}

/** Without its table: the one of the months has the same values. */
function Recurring({ periods, currency }: OfCurrency & { readonly periods: readonly Period[] }) {
  const t = useScreenTexts(revenueTexts)
  // One month is a number.
  if (currency === undefined || periods.length < 2) return null
  const language = languageStore.get()
  const title = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const tick = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })
  return (
    <section className={`${styles.chart} panel`} aria-label={t.recurring}>
      <h2>{t.recurring}</h2>
      <Chart
        label={t.recurring}
        points={periods.map(period => ({
          key: period.start,
          title: title.format(new Date(period.start)),
          tick: tick.format(new Date(period.start)),
          value: inCurrency(period, currency).recurring,
        }))}
        valueTitle={t.recurring}
        timeTitle={t.month}
        format={amount => formatMoney(amount, currency)}
        currency={currency}
        hasTable={false}
      />
    </section>
  )
}

function Months({ periods, currency }: OfCurrency & { readonly periods: readonly Period[] }) {
  const t = useScreenTexts(revenueTexts)
  const language = languageStore.get()
  const month = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const money = (amount: number) => (currency === undefined ? '–' : formatMoney(amount, currency))
  const share = (value: number | null) => (value === null ? '–' : formatPercent(value))
  const count = (value: number | null) => (value === null ? '–' : formatNumber(value))
  const columns: readonly (readonly [title: string, cell: (period: Period) => string])[] = [
    [t.recurring, period => money(inCurrency(period, currency).recurring)],
    [t.new, period => money(inCurrency(period, currency).new)],
    [t.expansion, period => money(inCurrency(period, currency).expansion)],
    [t.contraction, period => money(inCurrency(period, currency).contraction)],
    [t.lost, period => money(inCurrency(period, currency).lost)],
    [t.subscriptions, period => count(inCurrency(period, currency).subscriptions)],
    [t.trialsStarted, period => count(period.trials.started)],
    [t.trialConversion, period => share(period.trialConversion)],
    [t.signUps, period => count(period.signUps)],
    [t.signUpConversion, period => share(period.signUpConversion)],
    [t.activePeople, period => count(period.activePeople)],
  ]
  return (
    <Section title={t.byMonth}>
      <FigureTable
        label={t.byMonth}
        columns={[t.month, ...columns.map(([title]) => title)]}
        rows={periods
          .toReversed()
          .map(period => [month.format(new Date(period.start)), ...columns.map(([, cell]) => cell(period))])}
      />
    </Section>
  )
}

function Plans({ period, currency }: OfCurrency & { readonly period: Period | undefined }) {
  const t = useScreenTexts(revenueTexts)
  const plans = period ? inCurrency(period, currency).plans : []
  if (currency === undefined || plans.length === 0) return null
  return (
    <Section title={t.byPlan}>
      <FigureTable
        label={t.byPlan}
        columns={[t.plan, t.recurring, t.subscriptions]}
        rows={plans.map(plan => [
          plan.planName,
          formatMoney(plan.recurring, currency),
          formatNumber(plan.subscriptions),
        ])}
      />
    </Section>
  )
}

interface FigureTableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** The first cell names the row. */
  readonly rows: readonly (readonly string[])[]
}

/** Can be scrolled with the keyboard where it is wider than the screen. */
function FigureTable({ label, columns, rows }: FigureTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
    <div className={`${styles.scroll} panel`} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(title => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((text, at) => (
                <td key={columns[at + 1]}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
