import test from 'ava'
import type { Listed } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { academyRecipe } from '../fixtures.ts'
import { ended, errorsOf, type Import, send } from './fixtures.ts'

const { kernel, ada } = withPeople(test, { recipe: academyRecipe }, { ada: 'owner' })

async function run(collection: string, file: string, query = ''): Promise<Import> {
  const { token, tenantId } = ada
  const sent = await send({ url: kernel.url, token, tenantId }, `${collection}/imports${query}`, file)
  if (sent.status !== 202) throw new Error(JSON.stringify(sent.body))
  return ended(ada, collection, sent.body.id)
}

test.serial('a required field that a hook sets needs no column', async t => {
  const { state, rows } = await run('courses', 'title,seats\nFrom a file,2\n')
  t.is(state, 'succeeded')
  t.is(rows.created, 1)
  const { body } = await ada.get<Listed<Record<string, unknown>>>('/v1/data/courses?filter[title]=From a file')
  t.like(body.data[0], { code: 'C-11', seats: 2 })
})

test.serial('a hook after the creation rejects a row before any is written', async t => {
  const course = await ada.post<{ id: string }>('/v1/data/courses', { title: 'Two seats', seats: 2 })
  const file = `course,student\n${['a', 'b', 'c'].map(name => `${course.body.id},${name}@example.test`).join('\n')}\n`
  const result = await run('enrolments', file)
  t.like(result, { state: 'failed', failure: { code: 'validation_failed' } })
  t.like(result.rows, { checked: 3, created: 0, failed: 1 })
  t.like((await errorsOf(ada, 'enrolments', result.id))[0], { row: 3, code: 'course_full' })
  t.is((await run('enrolments', file, '?onError=skip')).rows.created, 2)
})

test.serial('reports the fields that the problem of a hook names', async t => {
  const file = 'title,seats\nBefore,1\nPointed,1\nAfter,1\n'
  const odd = { row: 2, line: 3, column: 'title', code: 'odd', detail: 'is odd' }
  const checked = await run('courses', file, '?dryRun=true')
  t.deepEqual(await errorsOf(ada, 'courses', checked.id), [odd])
  const skipped = await run('courses', file, '?onError=skip')
  t.like(skipped, { state: 'succeeded', failure: null })
  t.like(skipped.rows, { created: 2, failed: 1 })
  t.deepEqual(await errorsOf(ada, 'courses', skipped.id), [odd])
  const list = await ada.post<{ errors: unknown }>('/v1/data/courses', [
    { title: 'Fine' },
    { title: 'Pointed' },
  ] as never)
  t.deepEqual(list.body.errors, [{ pointer: '/1/title', code: 'odd', detail: 'is odd' }])
})

test.serial('the time limit of hooks is not for all rows of a batch', async t => {
  const titles = Array.from({ length: 90 }, (_, at) => `Slow ${at}`)
  const { state, rows } = await run('courses', `title\n${titles.join('\n')}\n`, '?onError=skip')
  t.is(state, 'succeeded')
  t.is(rows.created, 90)
})
