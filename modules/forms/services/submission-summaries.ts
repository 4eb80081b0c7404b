/** Counts submissions and their answers in one statement. */
import { DAY, type Deps } from '@larder-dev/larder/kernel'
import type { SubmissionSummary } from '../records/summary.ts'
import { localForm } from './form-cache.ts'
import type { FormListing } from './form-repository.ts'
import { type QuestionCounts, questionsOf, toQuestionSummary } from './summary-questions.ts'

export interface SubmissionSummaries {
  /** Throws `not_found`. */
  get(tenantId: string, formId: string, query: SummaryQuery): Promise<SubmissionSummary>
}
interface SummaryQuery {
  /** The number of past days, today included. */
  readonly days: number
  /** The language of labels. */
  readonly locale: string
}

const MAX_SUBMISSIONS = 5000
/** Choices of earlier versions are among them. */
const MAX_CHOICES = 200
const MAX_OTHER_CHOICES = 20
/** A larger number is no answer that a chart can show, and keeps the arithmetic from overflowing. */
const MAX_NUMBER = 1e15
const RANGES = 8

/**
 * $1 form, $2 questions as JSON, $3 start of the first day. The entries are json, which has no equality: values
 * are compared as text. The width of a range is 1, 2 or 5 times a power of ten.
 */
const SUMMARY = `
  with chosen as materialized (
    select data from forms_submissions where form_id = $1 and spam is null order by id desc limit ${MAX_SUBMISSIONS}
  ), questions as (
    select * from json_to_recordset($2::json) as q (n integer, path text[], kind text, whole boolean)
  ), answers as materialized (
    select q.n, q.kind, q.whole, c.data #> q.path as value
    from chosen c cross join questions q where json_typeof(c.data #> q.path) <> 'null'
  ), picked as (
    select n, value::text as value from answers where kind = 'choice'
    union all
    select a.n, item.value::text from answers a
    cross join json_array_elements(case when json_typeof(a.value) = 'array' then a.value else '[]'::json end) item
    where a.kind = 'choices'
  ), ranked as (
    select n, value, count(*)::integer as count, row_number() over (partition by n order by count(*) desc, value) as rank
    from picked group by n, value
  ), parsed as materialized (
    select n, whole, case when json_typeof(value) = 'number' then value::text::float8 end as value
    from answers where kind = 'number'
  ), numbers as (
    select * from parsed where abs(value) <= ${MAX_NUMBER}
  ), spans as (
    select n, whole, min(value) as low, max(value) as high, avg(value) as mean,
      greatest((max(value) - min(value)) / ${RANGES}, 1e-9) as width
    from numbers group by n, whole
  ), steps as (
    select *, case when high = low then 1 else greatest(
      case when whole then 1 else 0 end,
      power(10::float8, floor(log(width))) * case
        when width <= power(10::float8, floor(log(width))) then 1
        when width <= 2 * power(10::float8, floor(log(width))) then 2
        when width <= 5 * power(10::float8, floor(log(width))) then 5
        else 10 end) end as step
    from spans
  ), ranges as (
    select numbers.n, floor(numbers.value / steps.step) as index, count(*)::integer as count
    from numbers join steps using (n) group by 1, 2
  ), daily as (
    select (created_at at time zone 'UTC')::date as date, count(*) filter (where spam is null)::integer as count,
      count(*) filter (where spam is not null)::integer as spam
    from forms_submissions where form_id = $1 and created_at >= $3 group by 1
  )
  select
    (select count(*)::integer from forms_submissions where form_id = $1 and spam is null) as total,
    (select count(*)::integer from forms_submissions where form_id = $1 and spam is not null) as spam,
    (select count(*)::integer from chosen) as summarized,
    coalesce((select json_agg(json_build_object('date', to_char(date, 'YYYY-MM-DD'), 'count', count, 'spam', spam))
      from daily), '[]') as days,
    coalesce((select json_agg(json_build_object(
      'answered', (select count(*) from answers where answers.n = q.n),
      'choices', coalesce((select json_agg(json_build_object('value', value, 'count', count) order by rank)
        from ranked where ranked.n = q.n and rank <= ${MAX_CHOICES}), '[]'),
      'numbers', (select json_build_object('min', low, 'max', high, 'mean', mean, 'step', step, 'ranges',
        (select json_agg(json_build_object('index', index, 'count', count)) from ranges where ranges.n = q.n))
        from steps where steps.n = q.n)) order by q.n) from questions q), '[]') as questions`

interface SummaryRow {
  readonly total: number
  readonly spam: number
  readonly summarized: number
  readonly days: readonly SubmissionSummary['days'][number][]
  readonly questions: readonly (Omit<QuestionCounts, 'numbers'> & {
    readonly numbers: QuestionCounts['numbers'] | null
  })[]
}

type SummariesDeps = Deps<'database' | 'clock' | 'product'> & { readonly formListing: FormListing }

export function createSubmissionSummaries({
  database,
  clock,
  product,
  formListing,
}: SummariesDeps): SubmissionSummaries {
  return {
    async get(tenantId, formId, { days, locale }) {
      const form = await formListing.get(tenantId, formId)
      const questions = questionsOf(localForm(form, locale, product.locales.default).model)
      const start = Math.floor(clock.now() / DAY) * DAY - (days - 1) * DAY
      const asked = questions.map(({ path, kind, whole }, n) => ({ n, path, kind, whole }))
      const { rows } = await database
        .tenant(tenantId)
        .query<SummaryRow>(SUMMARY, [formId, JSON.stringify(asked), new Date(start)], { scans: true })
      const [row] = rows as [SummaryRow]
      return {
        total: row.total,
        spam: row.spam,
        days: everyDay(start, days, row.days),
        summarized: row.summarized,
        questions: questions.map((question, n) => {
          const { numbers, ...counts } = row.questions[n] ?? { numbers: null }
          const summary = toQuestionSummary(question, { ...counts, ...(numbers && { numbers }) })
          const most = question.choices.length + MAX_OTHER_CHOICES
          return { ...summary, choices: summary.choices?.slice(0, most) ?? null }
        }),
      }
    },
  }
}

/** Adds the days without submissions. */
function everyDay(start: number, count: number, counted: SummaryRow['days']): SubmissionSummary['days'] {
  const byDate = new Map(counted.map(day => [day.date, day]))
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(start + index * DAY).toISOString().slice(0, 10)
    return byDate.get(date) ?? { date, count: 0, spam: 0 }
  })
}
