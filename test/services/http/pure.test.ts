import test from 'ava'
import { Type } from 'typebox'
import { etag, isNotModified, requireMatch } from '../../../kernel/base/etag.ts'
import { idPattern } from '../../../kernel/base/ids.ts'
import { addressKey, clientAddress, isLoopback } from '../../../kernel/base/ip-address.ts'
import { negotiateLocale } from '../../../kernel/base/locale.ts'
import type { FieldError, Problem } from '../../../kernel/base/problem.ts'
import { createValidator } from '../../../kernel/base/validation.ts'
import { parseQuery } from '../../../services/http/api/query.ts'
import { toProblem } from '../../../services/http/problems.ts'
import { idleAction } from '../../../services/http/timeouts.ts'

test('trusts only the configured number of proxies', t => {
  const headers = { 'x-forwarded-for': '6.6.6.6, 5.5.5.5, 4.4.4.4' }
  t.is(clientAddress('::ffff:10.0.0.1', headers, 0), '10.0.0.1')
  t.is(clientAddress('10.0.0.1', headers, 1), '4.4.4.4')
  t.is(clientAddress('10.0.0.1', headers, 2), '5.5.5.5')
  t.is(clientAddress('10.0.0.1', headers, 9), '6.6.6.6')
  t.is(clientAddress('10.0.0.1', { 'x-forwarded-for': 'not-an-address' }, 1), '10.0.0.1')
  t.is(clientAddress('10.0.0.1', {}, 1), '10.0.0.1')
})

test('groups IPv6 addresses by /64', t => {
  t.is(addressKey('2001:db8:1:2:3:4:5:6'), addressKey('2001:db8:1:2::9'))
  t.not(addressKey('2001:db8:1:2::9'), addressKey('2001:db8:1:3::9'))
  t.is(addressKey('::1'), '0:0:0:0::/64')
  t.is(addressKey('1.2.3.4'), '1.2.3.4')
})

test('forwarded requests are not loopback', t => {
  t.true(isLoopback('::ffff:127.0.0.1', {}))
  t.true(isLoopback('::1', {}))
  t.false(isLoopback('127.0.0.1', { 'x-forwarded-for': '1.2.3.4' }))
  t.false(isLoopback('10.0.0.1', {}))
})

test('If-Match accepts the current version, or anything if absent', t => {
  const current = etag(3)
  t.notThrows(() => requireMatch({}, current))
  t.notThrows(() => requireMatch({ 'if-match': '"1", "3"' }, current))
  t.notThrows(() => requireMatch({ 'if-match': '*' }, current))
  t.throws(() => requireMatch({ 'if-match': '"2"' }, current), { message: /has changed/ })
  t.true(isNotModified({ 'if-none-match': 'W/"3"' }, current))
  t.false(isNotModified({}, current))
})

test('a tag that a proxy has weakened or marked with a coding stands for its version', t => {
  const current = etag('3.aZ-9')
  const marked = ['W/"3.aZ-9"', '"3.aZ-9-gzip"', 'W/"3.aZ-9;br"', '"3.aZ-9--gzip"', '"3.aZ-9:zstd"', '3.aZ-9']
  for (const tag of [...marked, `"1", ${marked[2]}`, `"a,b" , W/"3.aZ-9"`]) {
    t.notThrows(() => requireMatch({ 'if-match': tag }, current), tag)
    t.true(isNotModified({ 'if-none-match': tag }, current), tag)
  }
  for (const tag of ['W/"3"', '"3.aZ-9-4"', '"3.aZ"', '"x,3.aZ-9,y"', 'W/"13.aZ-9"', '"*"', '""', ''])
    t.throws(() => requireMatch({ 'if-match': tag }, current), { message: /has changed/ }, tag)
})

test('a tag of a megabyte of codings takes no longer than its length', t => {
  const codings = '-gz'.repeat(350_000)
  t.throws(() => requireMatch({ 'if-match': `"${codings}!"` }, '"3"'))
  t.notThrows(() => requireMatch({ 'if-match': `"3${codings}"` }, '"3"'))
})

test('negotiates the best available language', t => {
  const locales = { default: 'en', available: ['en', 'de', 'pt-BR'] }
  t.is(negotiateLocale('de-AT,de;q=0.9,en;q=0.8', locales), 'de')
  t.is(negotiateLocale('en;q=0.2, pt-br;q=0.7', locales), 'pt-BR')
  t.is(negotiateLocale('fr, de;q=0', locales), 'en')
  t.is(negotiateLocale(undefined, locales), 'en')
})

test('cuts idle connections unless they wait for the handler or stalled once', t => {
  t.is(idleAction(undefined), 'cut')
  t.is(idleAction({ answering: true, arrived: true, moved: false }), 'cut')
  t.is(idleAction({ answering: false, arrived: true, moved: false }), 'wait')
  t.is(idleAction({ answering: false, arrived: false, moved: true }), 'look')
  t.is(idleAction({ answering: false, arrived: false, moved: false }), 'cut')
})

test('parses repeated query names and rejects invalid escapes', t => {
  t.deepEqual({ ...parseQuery('a=1&a=2&b=x+y%C3%A9&c') }, { a: ['1', '2'], b: 'x yé', c: '' })
  t.deepEqual({ ...parseQuery('a=e%CC%81') }, { a: 'é' })
  t.throws(() => parseQuery('a=%ff'), { message: /not UTF-8/ })
  t.throws(() => parseQuery('a=1&'.repeat(200)), { message: /more than 100/ })
  t.is(Object.getPrototypeOf(parseQuery('__proto__=1')), null)
})

test('maps data errors to 4xx and a lost database to 503', t => {
  const status = (code: string) => toProblem(Object.assign(new Error('x'), { code })).problem.status
  t.deepEqual(['22003', '22P02', '22021', '23514'].map(status), [422, 422, 422, 422])
  t.is(status('23505'), 409)
  t.is(toProblem({ code: '53100' }).problem.code, 'database_full')
  t.deepEqual(['ECONNREFUSED', '57P01', '08006', '53300', '40001'].map(status), [503, 503, 503, 503, 503])
  t.is(status('42601'), 500)
  t.is(toProblem(Object.assign(new Error('x'), { original: { code: '22003' } })).problem.status, 422)
  t.is(toProblem('thrown text').problem.status, 500)
})

test('format errors show the ID prefix or an example', t => {
  const name = { pattern: '^[^/]+$', examples: ['holiday.jpg'], description: 'one name without a path' }
  const check = createValidator().body(
    Type.Object({
      userId: Type.String({ pattern: idPattern('usr') }),
      name: Type.String(name),
      code: Type.String({ pattern: '^[A-Z]{3}$' }),
      tags: Type.Array(Type.String(), { uniqueItems: true }),
      metadata: Type.Unsafe({ type: 'object', maxProperties: 1, propertyNames: { maxLength: 3 } }),
    }),
  )
  const wrong = { userId: 'me', name: 'a/b', code: 'a', tags: ['x', 'y', 'x'], metadata: { long: 1, b: 2 } }
  const { extras } = t.throws<Problem>(() => check(wrong))
  t.deepEqual(
    (extras.errors as FieldError[])
      .toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1))
      .map(({ pointer, code, detail }) => ({ pointer, code, detail })),
    [
      { pointer: '/code', code: 'wrong_format', detail: 'must match the pattern ^[A-Z]{3}$' },
      { pointer: '/metadata', code: 'too_many', detail: 'must have at most 1 field' },
      { pointer: '/metadata/long', code: 'too_long', detail: 'as a key must have at most 3 characters' },
      {
        pointer: '/name',
        code: 'wrong_format',
        detail: 'must be a value such as holiday.jpg: one name without a path',
      },
      { pointer: '/tags', code: 'duplicate', detail: 'must not contain duplicates; items 0 and 2 are equal' },
      { pointer: '/userId', code: 'wrong_format', detail: 'must be an ID: usr_ followed by 26 letters and digits' },
    ],
  )
})
