import test from 'ava'
import { Type } from 'typebox'
import { defineProblems, Problem } from '../../../kernel/base/problem.ts'

const problems = defineProblems({
  closed: [409, 'Form {id} closed on {date}.', { retryable: Type.Boolean() }],
  empty: [422, 'An answer must not be empty.'],
})

test('a problem has a code, a status and a sentence with its placeholders filled', t => {
  const problem = problems.closed({ id: 'frm_1', date: 'Monday' }, { retryable: false })
  t.is(problem.code, 'closed')
  t.is(problem.status, 409)
  t.is(problem.message, 'Form frm_1 closed on Monday.')
  t.deepEqual(problem.extras, { retryable: false })
  t.is(problems.empty().status, 422)
})

test('recognizes problems of other copies of the kernel, and nothing else', t => {
  t.true(Problem.is(problems.empty()))
  t.true(Problem.is({ [Symbol.for('larder.problem')]: true }))
  t.false(Problem.is(new Error('x')))
  t.false(Problem.is(null))
})

test('exposes code, status and sentence of each problem in the table', t => {
  t.is(problems.closed.code, 'closed')
  t.is(problems.closed.status, 409)
  t.is(problems.closed.sentence, 'Form {id} closed on {date}.')
})
