import test from 'ava'
import { valueError } from '../../../../../modules/collections/domain/fields/value-validation.ts'

for (const value of ['2026-01-31t12:00:00z', '2026-01-31T12:00:00z', '2026-01-31t12:00:00.5+02:00'])
  test(`accepts the time ${value}, whose letters RFC 3339 allows in lower case`, t => {
    t.is(valueError({ type: 'datetime' }, value), undefined)
  })

for (const value of ['https://a..example/', 'https://.example/', 'http://a.example../'])
  test(`refuses the URL ${value}, whose host has an empty label`, t => {
    t.is(valueError({ type: 'url' }, value)?.sentence, 'must be a URL such as https://acme.example')
  })

test('accepts a URL whose host ends with a dot, and one with dots in its path', t => {
  t.is(valueError({ type: 'url' }, 'https://acme.example./'), undefined)
  t.is(valueError({ type: 'url' }, 'https://acme.example/a/..b'), undefined)
})
