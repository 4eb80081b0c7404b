import test from 'ava'
import { acceptedLocale, matchLocale } from '../../../kernel/base/locale.ts'

test('matches a tag to the nearest available language', t => {
  const available = ['en', 'de', 'de-CH', 'zh-Hant', 'pt-BR']
  for (const [tag, language] of [
    ['de-DE', 'de'],
    ['de_AT', 'de'],
    ['DE-ch', 'de-CH'],
    ['en-US', 'en'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['pt', 'pt-BR'],
    ['fr-FR', undefined],
    ['', undefined],
    ['d', undefined],
  ] as const)
    t.is(matchLocale(tag, available), language, tag)
  t.is(acceptedLocale('fr-CH, zh-Hant-TW;q=0.9, en;q=0.8', available), 'zh-Hant')
})

test('a tag of a megabyte takes no longer than one of its length can', t => {
  t.is(matchLocale(`DE${'-a'.repeat(500_000)}`, ['en', 'de', 'de-CH']), 'de')
  t.is(acceptedLocale('a-'.repeat(500_000), ['en', 'de']), undefined)
})
