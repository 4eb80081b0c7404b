import test from 'ava'
import type { SubmissionSummary as Summary } from '../../../fixtures/api-types.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { FORMS, type Form, formsRecipe, newForm, type Submission } from '../fixtures.ts'

const SURVEY = {
  type: 'object',
  properties: {
    plan: { type: 'string', enum: ['free', 'pro'], title: { en: 'Plan', de: 'Tarif' } },
    tools: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
    age: { type: 'integer', title: 'Age' },
    news: { type: 'boolean', title: 'News' },
    comment: { type: 'string', title: 'Comment' },
  },
}

const { kernel, people, ada } = withPeople(test, { recipe: formsRecipe(), clock: true }, { ada: 'owner' })

const submit = async (form: Form, data: object, meta?: object): Promise<Submission> =>
  (await (meta ? kernel : ada).post<Submission>(`${FORMS}/${form.id}/submit`, { data, ...(meta && { meta }) })).body
const summaryOf = async ({ id }: Form, query = '') => (await ada.get<Summary>(`${FORMS}/${id}/summary${query}`)).body

test.serial('counts choices, ranges of numbers, and submissions by day', async t => {
  const form = await newForm(ada, { schema: SURVEY, access: 'public' })
  await submit(form, { plan: 'pro', tools: ['a', 'b'], age: 18, news: true, comment: 'Hello' })
  await submit(form, { plan: 'pro', tools: ['a'], age: 41 })
  await submit(form, { plan: 'free', tools: [], age: 97, news: false })
  await submit(form, { plan: 'free' }, { website: 'https://spam.test' })
  const summary = await summaryOf(form, '?days=3')
  t.like(summary, { total: 3, spam: 1, summarized: 3 })
  t.deepEqual(
    summary.days.map(({ count, spam }) => [count, spam]),
    [
      [0, 0],
      [0, 0],
      [3, 1],
    ],
  )
  const [plan, tools, age, news, comment] = summary.questions
  t.like(plan, { label: 'Plan', kind: 'choice', answered: 3, numbers: null })
  const german = ada.with({ 'accept-language': 'de' })
  t.is((await german.get(`${FORMS}/${form.id}/summary`)).body.questions[0]?.label, 'Tarif')
  t.deepEqual(
    plan?.choices?.map(({ label, count }) => [label, count]),
    [
      ['free', 1],
      ['pro', 2],
    ],
  )
  t.deepEqual(
    tools?.choices?.map(({ value, count }) => [value, count]),
    [
      ['a', 2],
      ['b', 1],
      ['c', 0],
    ],
  )
  t.like(age?.numbers, { min: 18, max: 97, mean: 52 })
  t.deepEqual(
    age?.numbers?.ranges.map(({ from, to, count }) => [from, to, count]),
    [
      [10, 20, 1],
      [20, 30, 0],
      [30, 40, 0],
      [40, 50, 1],
      [50, 60, 0],
      [60, 70, 0],
      [70, 80, 0],
      [80, 90, 0],
      [90, 100, 1],
    ],
  )
  t.deepEqual(
    news?.choices?.map(({ label, count }) => [label, count]),
    [
      ['Yes', 1],
      ['No', 1],
    ],
  )
  t.like(comment, { kind: 'text', answered: 1, choices: null, numbers: null })
})

test.serial('summarizes equal, huge and missing numbers', async t => {
  const form = await newForm(ada, { schema: { type: 'object', properties: { n: { type: 'number' } } } })
  t.is((await summaryOf(form)).questions[0]?.numbers, null)
  for (const n of [2.5, 2.5, 1e300]) await submit(form, { n })
  const [question] = (await summaryOf(form)).questions
  t.is(question?.answered, 3)
  t.deepEqual(question?.numbers, { min: 2.5, max: 2.5, mean: 2.5, ranges: [{ from: 2, to: 3, count: 2 }] })
})

test.serial('includes choices that an earlier version had', async t => {
  const form = await newForm(ada, { schema: SURVEY })
  await submit(form, { plan: 'pro' })
  await ada.patch(`${FORMS}/${form.id}`, { schema: { type: 'object', properties: { plan: { enum: ['team'] } } } })
  t.deepEqual((await summaryOf(form)).questions[0]?.choices, [
    { value: 'team', label: 'team', count: 0 },
    { value: 'pro', label: 'pro', count: 1 },
  ])
})

test.serial('hides the summary of another tenant', async t => {
  const form = await newForm(ada)
  const bob = await people.person()
  t.is(codeOf(await bob.get(`${FORMS}/${form.id}/summary`)), '404 not_found')
})

test.serial('delivers a submission once that the spam check held back', async t => {
  const form = await newForm(ada, { access: 'public' })
  const { id } = await submit(form, { email: 'ada@example.test' }, { website: 'x' })
  const path = `${FORMS}/${form.id}/submissions/${id}`
  const created = async () => {
    const { body } = await ada.get('/v1/platform/events?filter[type]=forms.submission.created&limit=100')
    return body.data.filter(({ subject }) => subject === id).length
  }
  t.is(await created(), 0)
  t.like((await ada.patch<Submission>(path, { spam: false })).body, { spam: false, spamReason: null })
  t.is(await created(), 1)
  t.like((await ada.patch<Submission>(path, { spam: true })).body, { spam: true, spamReason: 'manual' })
  await ada.patch(path, { spam: false })
  t.is(await created(), 1)
})

test.serial('keeps a note, and removes it', async t => {
  const form = await newForm(ada)
  const { id } = await submit(form, { email: 'ada@example.test' })
  const path = `${FORMS}/${form.id}/submissions/${id}`
  t.like((await ada.patch(path, { note: 'Called back' })).body as object, { note: 'Called back', spam: false })
  t.like((await ada.patch(path, { spam: true })).body as object, { note: 'Called back', spam: true })
  t.like((await ada.patch(path, { note: '' })).body as object, { note: null, spam: true })
  t.is(codeOf(await ada.patch(`${FORMS}/${form.id}/submissions/sub_x`, { note: 'x' })), '404 not_found')
  t.is(codeOf(await ada.patch(path, {})), '422 validation_failed')
})
