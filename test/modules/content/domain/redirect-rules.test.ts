import test from 'ava'
import fc from 'fast-check'
import {
  canonicalFrom,
  canonicalTo,
  createsLoop,
  hostOf,
  indexRedirects,
  type RedirectRule,
} from '../../../../modules/content/domain/redirect-rules.ts'

const rule = (from: string, to: string | null, status: RedirectRule['status'] = 301): RedirectRule => ({
  from,
  to,
  status,
})
const find = (rules: readonly RedirectRule[], path: string) => indexRedirects(rules).find(path)?.to
const OWN = 'https://acme.test'

test('an exact rule matches its path, a wildcard also all paths below', t => {
  const rules = [rule('/a', '/b'), rule('/old/*', '/new/:splat')]
  t.is(find(rules, '/a'), '/b')
  t.is(find(rules, '/a/b'), undefined)
  t.is(find(rules, '/old'), '/new')
  t.is(find(rules, '/old/x/y'), '/new/x/y')
  t.is(find(rules, '/older'), undefined)
})

test('exact rules precede wildcards, and longer wildcards precede shorter ones', t => {
  const rules = [
    rule('/*', '/home'),
    rule('/a/*', '/short/:splat'),
    rule('/a/b/*', '/long/:splat'),
    rule('/a/b/c', '/exact'),
  ]
  t.is(find(rules, '/a/b/c'), '/exact')
  t.is(find(rules, '/a/b/d'), '/long/d')
  t.is(find(rules, '/a/d'), '/short/d')
  t.is(find(rules, '/'), '/home')
  t.is(find(rules, '/x'), '/home')
  t.is(find(rules, '/home'), undefined, 'no redirect to the same path')
})

test('query and fragment of a target follow the splat', t => {
  t.is(find([rule('/old/*', '/new/:splat?from=old#top')], '/old/x'), '/new/x?from=old#top')
  t.is(find([rule('/old/*', 'https://docs.test/v2/:splat')], '/old/x'), 'https://docs.test/v2/x')
})

test('a 410 rule has no target', t => {
  t.is(find([rule('/a', null, 410)], '/a'), null)
})

test('no splat can change the host of the target', t => {
  for (const splat of [
    '/evil.test',
    '//evil.test',
    '\\evil.test',
    '/\\evil.test',
    '%2f%2fevil.test',
    '..//evil.test',
    '@evil.test',
  ])
    for (const to of ['/:splat', '/new/:splat', 'https://docs.test/:splat']) {
      const target = find([rule('/old/*', to)], `/old/${splat}`) as string
      t.is(new URL(target, OWN).host, to.startsWith('/') ? 'acme.test' : 'docs.test', `${to} with ${splat}`)
      t.false(target.startsWith('//'))
    }
})

test('canonicalizes sources and rejects invalid ones', t => {
  t.is(canonicalFrom('/a//b/'), '/a/b')
  t.is(canonicalFrom('/über/*'), '/%C3%BCber/*')
  t.is(canonicalFrom('/*'), '/*')
  for (const bad of [
    'a',
    '',
    '/a*',
    '/*/b',
    '/a/*/*',
    '/a?x=1',
    '/a#b',
    '/a b',
    '/a\n',
    'https://x.test/',
    '/:id',
    `/${'a'.repeat(2000)}`,
  ])
    t.is(canonicalFrom(bad), undefined, bad)
})

test('canonicalizes targets, and turns URLs of the own origin into paths', t => {
  t.is(canonicalTo(`${OWN}/x?y=1`, '/a', OWN), '/x?y=1')
  t.is(canonicalTo('/new/:splat', '/old/*', OWN), '/new/:splat')
  t.is(canonicalTo('/:splat', '/old/*', OWN), '/:splat')
  t.is(hostOf(canonicalTo('https://Docs.Test:8080/x', '/a', OWN) as string), 'docs.test:8080')
  for (const bad of [
    'x',
    '//evil.test',
    '/\\evil.test',
    'javascript:alert(1)',
    'ftp://x.test/',
    'https://u:p@x.test/',
    '/a b',
    '/*',
  ])
    t.is(canonicalTo(bad, '/a', OWN), undefined, bad)
  t.is(canonicalTo('/new/:splat', '/old', OWN), undefined, 'no wildcard for the splat')
  t.is(canonicalTo('https://:splat/', '/old/*', OWN), undefined)
  t.is(canonicalTo('/a/:splat/b', '/old/*', OWN), undefined)
  t.is(canonicalTo('/a?x=:splat', '/old/*', OWN), undefined)
})

test('detects loops of exact rules, wildcards and growing paths', t => {
  t.true(createsLoop(rule('/a', '/a'), []))
  t.true(createsLoop(rule('/b', '/a'), [rule('/a', '/b')]))
  t.true(createsLoop(rule('/b/*', '/a/:splat'), [rule('/a/*', '/b/:splat')]))
  t.true(createsLoop(rule('/a/*', '/a/x/:splat'), []))
  t.true(createsLoop(rule('/new/x', '/old/x'), [rule('/old/*', '/new/:splat')]))
  t.true(createsLoop(rule('/*', '/x/:splat'), []))
  t.true(createsLoop(rule('/x/*', '/a/:splat'), [rule('/a/*', '/b/:splat'), rule('/b/c/*', '/x/c/:splat')]))
})

test('accepts rules that only look like a loop', t => {
  t.false(createsLoop(rule('/new/x', '/old/y'), [rule('/old/*', '/new/:splat')]))
  t.false(createsLoop(rule('/*', '/closed'), []))
  t.false(createsLoop(rule('/a', 'https://other.test/a'), []))
  t.false(createsLoop(rule('/a', null, 410), [rule('/b', '/a')]))
  t.false(createsLoop(rule('/blog/*', '/:splat'), [rule('/a', '/blog/x')]))
  t.false(createsLoop(rule('/c', '/d'), [rule('/a', '/b'), rule('/b', '/c')]))
})

const segment = fc.constantFrom('a', 'b', 'c')
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map(parts => `/${parts.join('/')}`)
const anyRule = fc
  .record({ from: path, to: path, wild: fc.boolean(), splat: fc.boolean() })
  .map(({ from, to, wild, splat }) => rule(wild ? `${from}/*` : from, wild && splat ? `${to}/:splat` : to))

test('accepted rules never redirect forever', t => {
  fc.assert(
    fc.property(
      fc.array(anyRule, { maxLength: 12 }),
      fc.array(path, { minLength: 1, maxLength: 10 }),
      (offered, requested) => {
        const rules: RedirectRule[] = []
        for (const one of offered)
          if (!rules.some(({ from }) => from === one.from) && !createsLoop(one, rules)) rules.push(one)
        const index = indexRedirects(rules)
        for (const start of requested) {
          let current: string | null | undefined = start
          for (let hops = 0; current; hops++) {
            if (hops > 500) return false
            current = index.find(current)?.to
          }
        }
        return true
      },
    ),
    { numRuns: 2000 },
  )
  t.pass()
})
