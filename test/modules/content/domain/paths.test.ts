import test from 'ava'
import fc from 'fast-check'
import { canonicalPath, followSlug, pagePath, patternMatcher } from '../../../../modules/content/domain/paths.ts'

test('equivalent paths have one canonical form', t => {
  for (const path of ['/a/b', '/a/b/', '/a//b', '//a/b', '/a/./b', '/a/c/../b', '/%61/b', '/a\\b'])
    t.is(canonicalPath(path), '/a/b', path)
  t.is(canonicalPath('/ü'), '/%C3%BC')
  t.is(canonicalPath('/%c3%bc'), '/%C3%BC')
  t.is(canonicalPath('/'), '/')
  t.is(canonicalPath('///'), '/')
})

test('text that is not a path has no canonical form', t => {
  for (const text of ['', 'a', 'http://x.test', `/${'x'.repeat(1100)}`]) t.is(canonicalPath(text), undefined, text)
})

test('a pattern matches paths with as many and equal segments', t => {
  for (const pattern of ['/watch/:id', '/:a/:b']) t.true(patternMatcher('/watch/x')(pattern), pattern)
  for (const pattern of ['/watch', '/watch/:id/more', '/watched/:id', '/'])
    t.false(patternMatcher('/watch/x')(pattern), pattern)
  t.true(patternMatcher('/')('/'))
})

test('a canonical path never names another host, and is its own canonical form', t => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('/', '\\', '.', '%2f', '%2e', '%5c', 'a', '@', ':', '?', '#', ' ', 'ü'),
        maxLength: 20,
      }),
      text => {
        const path = canonicalPath(`/${text}`)
        if (path === undefined) return true
        return (
          new URL(path, 'https://acme.test').host === 'acme.test' &&
          !path.startsWith('//') &&
          canonicalPath(path) === path
        )
      },
    ),
    { numRuns: 3000 },
  )
  t.pass()
})

test('a page cannot have a reserved or invalid path', t => {
  for (const text of [
    '/v1',
    '/v1/x',
    '/V1/../v1/x',
    '/assets/x',
    '/x/../assets',
    '/a b',
    '/a?b',
    '/a#b',
    '/a*',
    '/:id',
    '/a\u0000',
    'a',
  ])
    t.is(pagePath(text), undefined, text)
  t.is(pagePath('/v10'), '/v10')
  t.is(pagePath('/'), '/')
})

test('a path that ends with the slug follows it', t => {
  t.is(followSlug('/blog/old', 'old', 'new'), '/blog/new')
  t.is(followSlug('/elsewhere', 'old', 'new'), '/elsewhere')
  t.is(followSlug('/very-old', 'old', 'new'), '/very-old')
})
