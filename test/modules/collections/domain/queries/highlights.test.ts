import test from 'ava'
import { createHighlighter } from '../../../../../modules/collections/domain/queries/highlights.ts'
import { searchTerms, shownTerms } from '../../../../../modules/collections/domain/queries/search-words.ts'

const highlighterOf = (query: string) => createHighlighter(shownTerms(searchTerms(query)))

test('reads a bounded part of the texts of a page', t => {
  const { highlight } = highlighterOf('müller')
  const filler = 'word '.repeat(60_000)
  t.is(highlight(`Muller ${filler}`)?.split(' ').length, 20)
  t.is(highlight('Müller'), undefined)
})

test('marks whole words, beginnings and runs of letters, and no excluded ones', t => {
  t.is(
    highlighterOf('mull* -schmidt').highlight('Müller, Schmidt & Mull'),
    '<mark>Müller</mark>, Schmidt &#38; <mark>Mull</mark>',
  )
  t.is(highlighterOf('测试').highlight('试测试 测 试 v测试2'), '试<mark>测试</mark> 测 试 v<mark>测试</mark>2')
  t.is(highlighterOf('other').highlight('Müller'), undefined)
})
