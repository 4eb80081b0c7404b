import test from 'ava'
import fc from 'fast-check'
import { SLUG_PATTERN, slugCandidates, slugOf } from '../../../../modules/identity/domain/slug.ts'

test('a slug keeps letters and digits, joined by hyphens', t => {
  t.is(slugOf('Acme, Inc.'), 'acme-inc')
  t.is(slugOf('Ädler & Söhne'), 'adler-sohne')
  t.is(slugOf("Ada's workspace"), 'ada-s-workspace')
  t.is(slugOf('株式会社'), 'zhushihuishe')
  t.is(slugOf('!!!'), 'workspace')
})

test('a slug of any name matches the pattern and never looks like an id', t => {
  const pattern = new RegExp(SLUG_PATTERN)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), name => {
      const slug = slugOf(name)
      t.regex(slug, pattern)
      t.true(slug.length <= 48)
      t.false(slug.includes('_'))
    }),
  )
})

test('a taken slug gets a random suffix', t => {
  const [first, ...more] = slugCandidates('Acme')
  t.is(first, 'acme')
  t.true(more.length > 2)
  t.is(new Set(more).size, more.length)
  for (const slug of more) t.regex(slug, /^acme-[0-9a-f]{6}$/)
})
