/** What the console takes from the theme. */
import test from 'ava'
import { type Assets, loadAssets } from '../../../services/templates/assets.ts'
import { createBrand, isPale } from '../../../services/templates/brand.ts'
import { contrast, parseColor } from '../../../services/templates/contrast.ts'
import { THEMES } from '../../../services/templates/shipped.ts'

const SURFACES = { light: ['#ffffff', '#f7f8fa'], dark: ['#161a24', '#0f121a'] }
const NONE: Assets = { path: name => name, at: () => undefined, named: () => undefined }
const brandOf = (accent: string) => createBrand(NONE, { light: { accent }, dark: { accent } }, null, SURFACES)
const ratio = (one = '', other = '') => contrast(parseColor(one) ?? [0, 0, 0], parseColor(other) ?? [0, 0, 0])

test('an accent is legible on every surface, in its soft background, and below its text', t => {
  for (const accent of ['#3544d6', '#f5b800', '#ffff00', '#000000', '#ffffff', '#0a7d4f', '#777'])
    for (const scheme of ['light', 'dark'] as const) {
      const found = brandOf(accent)[scheme]
      for (const behind of [...SURFACES[scheme], found?.soft, found?.onAccent])
        t.true(ratio(found?.accent, behind) >= 4.5, `${accent} ${found?.accent} on ${behind}`)
    }
})

test('an accent that is legible stays as it is, and one whose contrast is unknown is left out', t => {
  t.is(brandOf('#3544d6').light?.accent, '#3544d6')
  t.is(brandOf('#a3b1ff').dark?.accent, '#a3b1ff')
  for (const accent of ['rebeccapurple', 'oklch(60% 0.2 250)', 'var(--text)']) t.is(brandOf(accent).light, undefined)
})

test('a page loads Inter in advance if the theme names it first', t => {
  const assets = loadAssets([`${THEMES}default/assets`])
  const font = (value: string) => createBrand(assets, { light: { font: value }, dark: {} }, null, SURFACES).font
  t.regex(font('Inter, sans-serif') ?? '', /^\/assets\/fonts\/inter-latin\.[0-9a-f]{16}\.woff2$/)
  t.is(font('"Avenir Next", Inter'), null)
  t.is(createBrand(NONE, { light: { font: 'Inter' }, dark: {} }, null, SURFACES).font, null)
})

test('finds accents that lack contrast in light mode', t => {
  const pale = (accent: string) =>
    isPale({ light: { accent, background: '#f6f7fa', surface: '#ffffff' }, dark: { accent } })
  t.true(pale('#f5b800'))
  t.false(pale('#3544d6'))
  t.false(pale('gold'))
})
