import test from 'ava'
import { entryErrors, entryFingerprint, MAX_VALUES } from '../../../../modules/forms/domain/entry.ts'

test('counts the values of an entry at every level', t => {
  t.deepEqual(entryErrors({ list: Array(MAX_VALUES - 1).fill(0) }), [])
  t.is(entryErrors({ list: Array(MAX_VALUES).fill(0) })[0]?.code, 'too_many')
  t.is(entryErrors({ a: { b: Array(MAX_VALUES).fill({ c: 1 }) } }).length, 1)
})

test('a fingerprint depends on form, entry and address', t => {
  const one = entryFingerprint('frm_a', '{"a":1}', '198.51.100.1')
  t.deepEqual(entryFingerprint('frm_a', '{"a":1}', '198.51.100.1'), one)
  for (const other of [
    entryFingerprint('frm_b', '{"a":1}', '198.51.100.1'),
    entryFingerprint('frm_a', '{"a":2}', '198.51.100.1'),
    entryFingerprint('frm_a', '{"a":1}', '198.51.100.2'),
  ])
    t.notDeepEqual(other, one)
})
