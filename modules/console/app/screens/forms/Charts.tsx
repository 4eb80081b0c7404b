/** Counts of a form's submissions by day, and of the answers to each question. */

import { useState } from 'react'
import {
  type Api,
  Chart,
  ErrorState,
  FilterSelect,
  fill,
  formatDay,
  formatNumber,
  Loading,
  languageStore,
  useGet,
} from '../../public.ts'
import { useFormTexts } from './texts.ts'

const PERIODS = [7, 30, 90, 366] as const

export function Charts({ form }: { readonly form: Api.Form }) {
  const c = useFormTexts()
  const [days, setDays] = useState<number>(30)
  const { data, error, isPending, refetch } = useGet('/v1/forms/{id}/summary', {
    path: { id: form.id },
    query: { days },
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  return (
    <>
      <div className="toolbar">
        <p>
          <strong className="chart-total">{formatNumber(data.total)}</strong> {c.total}
          {data.spam > 0 && (
            <span className="muted">
              {' '}
              · {formatNumber(data.spam)} {c.spam}
            </span>
          )}
        </p>
        <span className="toolbar-space" />
        <FilterSelect
          label={c.period}
          value={String(days)}
          all={null}
          options={PERIODS.map(count => [String(count), fill(c.days, { count })])}
          onChange={count => setDays(Number(count))}
        />
      </div>
      <div className="chart-grid">
        <DayChart days={data.days} />
        {data.questions.map(question => (
          <QuestionChart key={question.pointer} question={question} />
        ))}
      </div>
      <p className="hint chart-hint">{fill(c.summarized, { count: formatNumber(data.summarized) })}</p>
    </>
  )
}

function DayChart({ days }: { readonly days: readonly Api.DayCount[] }) {
  const c = useFormTexts()
  const most = Math.max(...days.map(({ count }) => count))
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const tick = new Intl.DateTimeFormat(languageStore.get(), { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const text = fill(c.perDayText, { total: formatNumber(total), count: days.length, most: formatNumber(most) })
  return (
    <section className="card chart-card chart-wide panel">
      <h2>{c.perDay}</h2>
      <Chart
        label={text}
        kind="bar"
        points={days.map(({ date, count }) => ({
          key: date,
          title: formatDay(date),
          tick: tick.format(new Date(date)),
          value: count,
        }))}
        valueTitle={c.submissions}
        timeTitle={c.day}
        format={formatNumber}
      />
    </section>
  )
}

function QuestionChart({ question }: { readonly question: Api.QuestionSummary }) {
  const c = useFormTexts()
  const { label, answered, choices, numbers, kind } = question
  const labelOf = (value: unknown, text: string) => (value === true ? c.yes : value === false ? c.no : text)
  const bars = choices
    ? choices.map(choice => ({ text: labelOf(choice.value, choice.label), count: choice.count }))
    : (numbers?.ranges ?? []).map(({ from, to, count }) => ({
        text: fill(c.upTo, { from: formatNumber(from), to: formatNumber(to) }),
        count,
      }))
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <section className="card chart-card panel">
      <h2>{label}</h2>
      <p className="muted">
        {answered === 0 ? c.noAnswers : fill(c.answered, { count: formatNumber(answered) })}
        {kind === 'text' && answered > 0 && ` ${c.openAnswers}`}
      </p>
      {numbers && (
        <p>
          {fill(c.mean, {
            mean: formatNumber(Math.round(numbers.mean * 100) / 100),
            min: formatNumber(numbers.min),
            max: formatNumber(numbers.max),
          })}
        </p>
      )}
      {bars.length > 0 && (
        <ul className="bars">
          {bars.map(({ text, count }) => (
            <li key={text}>
              <span className="bar-label">{text}</span>
              <span className="bar-track" aria-hidden>
                <span style={{ width: `${(count / most) * 100}%` }} />
              </span>
              <span className="bar-count">
                {formatNumber(count)}
                <span className="muted"> · {percent(count, answered)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const percent = (count: number, of: number): string =>
  new Intl.NumberFormat(languageStore.get(), { style: 'percent', maximumFractionDigits: 0 }).format(
    of === 0 ? 0 : count / of,
  )
