import test from 'ava'
import { matches, pathsOf } from '../../../../../modules/automations/domain/values/condition.ts'

const row = { status: 'open', priority: 'high', note: null }

test('a condition matches if one alternative does', t => {
  t.true(matches({ or: [{ 'row.status': 'solved' }, { 'row.priority': 'high' }] }, { row }))
  t.false(matches({ or: [{ 'row.status': 'solved' }, { 'row.priority': 'low' }] }, { row }))
  t.false(matches({ 'row.status': 'solved', or: [{ 'row.priority': 'high' }] }, { row }))
})

test('not includes rows without a value', t => {
  t.true(matches({ not: { 'row.note': 'x' } }, { row }))
  t.false(matches({ not: { 'row.status': 'open' } }, { row }))
  t.true(matches({ not: { 'row.status': 'open', 'row.priority': 'low' } }, { row }))
})

test('a condition names what its alternatives and opposites read', t => {
  const paths = pathsOf({ or: [{ 'row.status': 'open' }, { not: { 'input.limit': { gt: '$row.amount' } } }] })
  t.deepEqual(paths.map(path => path.join('.')).sort(), ['input.limit', 'row.amount', 'row.status'])
})
