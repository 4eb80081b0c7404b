import test from 'ava'
import fc from 'fast-check'
import {
  canonicalPath,
  followSlug,
  matchPattern,
  pagePath,
  pagePattern,
  patternMatcher,
} from '../../../../modules/content/domain/paths.ts'

test('equivalent paths have one canonical form', t => {
  for (const path of ['/a/b', '/a/b/', '/a//b', '//a/b', '/a/./b', '/a/c/../b', '/%61/b', '/a\\b'])
    t.is(canonicalPath(path), '/a/b', path)
  t.is(canonicalPath('/ü'), '/%C3%BC')
  t.is(canonicalPath('/%c3%bc'), '/%C3%BC')
  t.is(canonicalPath('/u\u0308/%2F'), '/%C3%BC/%2F')
  t.is(canonicalPath('/u%cc%88'), '/%C3%BC')
  t.is(canonicalPath('/%ff%CC'), '/%FF%CC')
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

test('segments of a page path can be parameters', t => {
  t.is(pagePattern('/courses/:slug'), '/courses/:slug')
  t.is(pagePattern('/:a//:b/'), '/:a/:b')
  t.is(pagePattern('/courses'), '/courses')
  for (const text of ['/courses/:', '/:a/:a', '/x:a', '/:a-b', '/v1/:a', '/courses/:slug?x'])
    t.is(pagePattern(text), undefined, text)
})

test('a pattern gives the unescaped values of its parameters', t => {
  t.deepEqual(matchPattern('/courses/:slug', '/courses/a%20b'), { slug: 'a b' })
  t.deepEqual(matchPattern('/:a/x/:b', '/1/x/2'), { a: '1', b: '2' })
  for (const path of ['/courses', '/courses/a/b', '/courses/%00', '/courses/%E0%A4'])
    t.is(matchPattern('/courses/:slug', path), undefined, path)
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
    '/%zz',
    '/%ff',
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
