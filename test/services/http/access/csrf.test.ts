import test from 'ava'
import { isSameOrigin, isSameOriginForm, isSameSite, type Site } from '../../../../services/http/access/csrf.ts'

const site: Site = { origin: 'https://acme.test', trustHost: false }
const json = { 'content-type': 'application/json' }

const table: [headers: Record<string, string>, request: boolean, form: boolean][] = [
  [{ 'sec-fetch-site': 'same-origin' }, true, true],
  [{ 'sec-fetch-site': 'none' }, true, false],
  [{ 'sec-fetch-site': 'same-site', ...json }, false, false],
  [{ 'sec-fetch-site': 'cross-site', ...json, 'x-tenant-id': 'acme' }, false, false],
  [{ origin: 'https://acme.test' }, true, true],
  [{ origin: 'https://acme.test.evil.example' }, false, false],
  [{ origin: 'http://acme.test' }, false, false],
  [{ origin: 'null', ...json }, false, false],
  [{ origin: 'null', 'x-tenant-id': 'acme' }, false, false],
  [{ origin: 'https://evil.example', host: 'evil.example' }, false, false],
  [{ ...json }, true, false],
  [{ 'x-tenant-id': 'acme' }, true, false],
  [{ 'content-type': 'text/plain' }, true, false],
  [{ 'content-type': 'application/x-www-form-urlencoded' }, true, false],
  [{}, true, false],
]

for (const [headers, request, form] of table) {
  test(`a request with ${JSON.stringify(headers)} is ${request ? 'accepted' : 'rejected'}, as a form it is ${form ? 'accepted' : 'rejected'}`, t => {
    t.is(isSameSite(site, headers), request)
    t.is(isSameOriginForm(site, headers), form)
  })
}

test('accepts the origin in Host outside production', t => {
  const headers = { origin: 'http://127.0.0.1:4000', host: '127.0.0.1:4000' }
  t.true(isSameOrigin({ ...site, trustHost: true }, headers))
  t.false(isSameOrigin(site, headers))
  t.false(isSameOrigin({ ...site, trustHost: true }, { ...headers, host: '127.0.0.1:4001' }))
})
