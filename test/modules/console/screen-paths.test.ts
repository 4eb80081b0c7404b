/** Which screen of a module is at an address of the console. */
import test from 'ava'
import { findScreen } from '../../../modules/console/app/data/screen-paths.ts'

const SCREENS = [
  { module: 'catalog', path: 'stock' },
  { module: 'catalog', path: 'stock/$id' },
  { module: 'catalog', path: 'stock/low' },
  { module: 'catalog', path: '$never/here' },
  { module: 'other', path: 'stock/$id/level/$day' },
  { module: 'catalog', path: null },
]

test('finds a screen by the words of its path', t => {
  t.deepEqual(findScreen(SCREENS, 'catalog', ['stock']), { screen: { module: 'catalog', path: 'stock' }, params: {} })
})

test('gives the parameters of a path their values', t => {
  t.deepEqual(findScreen(SCREENS, 'catalog', ['stock', '01J']), {
    screen: { module: 'catalog', path: 'stock/$id' },
    params: { id: '01J' },
  })
  t.deepEqual(findScreen(SCREENS, 'other', ['stock', '01J', 'level', '2026-05-31'])?.params, {
    id: '01J',
    day: '2026-05-31',
  })
})

test('prefers a word to a parameter', t => {
  t.is(findScreen(SCREENS, 'catalog', ['stock', 'low'])?.screen.path, 'stock/low')
})

test('finds none for a path of another length, or of another module', t => {
  t.is(findScreen(SCREENS, 'catalog', ['stock', '01J', 'edit']), undefined)
  t.is(findScreen(SCREENS, 'other', ['stock']), undefined)
  t.is(findScreen(SCREENS, 'catalog', ['']), undefined)
})
