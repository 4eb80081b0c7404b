import test from 'ava'
import { cardOf, fitting, widthsOf } from '../../../modules/console/app/components/column-widths.ts'

const NAME = { id: 'title', title: 'Title', kind: 'text' } as const
const AUTHOR = { id: 'author', title: 'Author', kind: 'link' } as const
const PRICE = { id: 'price', title: 'Price', kind: 'number' } as const
const LEVEL = { id: 'level', title: 'Level', kind: 'state' } as const
const STATUS = { id: 'status', title: 'Status', kind: 'state' } as const
const CREATED = { id: 'createdAt', title: 'Created', kind: 'time' } as const
const UPDATED = { id: 'updatedAt', title: 'Updated', kind: 'time' } as const

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0)

test('columns share the room, and most of it goes to what names the row', t => {
  const columns = [NAME, AUTHOR, PRICE, UPDATED]
  const [name = 0, author = 0, price = 0, updated = 0] = widthsOf(columns, 900)
  t.true(sum([name, author, price, updated]) <= 900)
  t.true(sum([name, author, price, updated]) > 900 - columns.length)
  t.true(name > author && author > price && price > updated)
})

test('columns keep their smallest width where there is no room', t => {
  t.deepEqual(widthsOf([NAME, PRICE], 10), widthsOf([NAME, PRICE], 0))
})

test('a column is as wide as its title', t => {
  const [, short = 0, long = 0] = widthsOf([NAME, PRICE, { ...PRICE, title: 'Price of the edition' }], 0)
  t.true(long > short)
})

test('a column whose header sorts has room for the title and the arrow', t => {
  const sorted = { title: 'Urgent', kind: 'boolean', sort: {} } as const
  const [, still = 0, sorting = 0] = widthsOf([NAME, { ...sorted, sort: undefined }, sorted], 0)
  t.is(still, 76)
  // The title of 43 pixels, the arrow beside it, and the padding.
  t.true(sorting >= 43 + 20 + 24)
})

test('a column is as wide as its inputs, also the first one, which can be narrower than a name', t => {
  const [name, price] = widthsOf(
    [
      { ...NAME, inputWidth: 132 },
      { ...PRICE, inputWidth: 236 },
    ],
    0,
  )
  t.deepEqual([name, price], [132, 236])
})

test('texts leave first where there is no room, from the end, and states and times stay', t => {
  const columns = [NAME, AUTHOR, PRICE, STATUS, { id: 'isbn', title: 'ISBN' }, UPDATED]
  t.deepEqual(fitting(columns, 2000), columns)
  t.deepEqual(
    fitting(columns, 632).map(({ id }) => id),
    ['title', 'author', 'price', 'status', 'updatedAt'],
  )
  t.deepEqual(
    fitting(columns, 420).map(({ id }) => id),
    ['title', 'status', 'updatedAt'],
  )
  t.deepEqual(fitting(columns, 0), [NAME])
})

test('a card shows the name, the status, a fact and the last time', t => {
  t.deepEqual(cardOf([NAME, CREATED, LEVEL, PRICE, STATUS, AUTHOR, UPDATED]), {
    title: NAME,
    state: STATUS,
    fact: LEVEL,
    time: UPDATED,
  })
  t.deepEqual(cardOf([NAME]), { title: NAME, state: undefined, fact: undefined, time: undefined })
})
