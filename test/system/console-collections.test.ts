/** Screens of collections in the console. */
import { randomUUID } from 'node:crypto'
import test from 'ava'
import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import { waitFor } from '../fixtures/wait.ts'
import { colleague } from '../modules/identity/fixtures.ts'
import { png } from '../modules/media/files.ts'
import { IS_MATRIX } from './axe.ts'
import { checkScreen, type OwnConsole, searchFor, startOwnConsole, waitForScreen } from './console-fixtures.ts'

const COLLECTIONS = {
  authors: {
    label: 'Author',
    title: 'Authors',
    search: ['name'],
    fields: { name: { type: 'text', required: true } },
  },
  books: {
    label: { en: 'Book', de: 'Buch' },
    title: { en: 'Books', de: 'Bücher' },
    search: ['title'],
    trash: '30d',
    history: 10,
    fields: {
      title: { type: 'text', required: true },
      isbn: { type: 'text', unique: true, label: 'ISBN' },
      price: { type: 'money', currency: 'EUR' },
      level: { type: 'enum', values: ['easy', 'hard'] },
      author: { type: 'reference', to: 'authors' },
      cover: { type: 'file', accept: ['image/*'] },
      blurb: { type: 'longtext' },
      pages: { type: 'integer', min: 1 },
      out: { type: 'date' },
      appeared: { type: 'datetime' },
      read: { type: 'boolean' },
      rating: { type: 'number' },
      print: { type: 'json', schema: { type: 'object', properties: { color: { type: 'string' } } } },
    },
  },
  courses: {
    label: 'Course',
    title: 'Courses',
    fields: {
      title: { type: 'text', required: true },
      seats: { type: 'integer' },
      level: { type: 'enum', values: ['easy', 'hard'], default: 'easy' },
      published: { type: 'boolean', default: true },
    },
  },
  visits: {
    label: { en: 'Visit', de: 'Besuch' },
    fields: {
      title: { type: 'text', required: true },
      code: { type: 'text', unique: true },
      room: { type: 'text' },
      first: { type: 'date' },
      last: { type: 'date' },
      course: { type: 'reference', to: 'courses' },
    },
    noOverlap: { by: ['room'], from: 'first', to: 'last' },
    capacity: { of: 'course', max: 'course.seats' },
  },
}
type Book = Readonly<Record<string, unknown>> & { readonly id: string }

let shared: OwnConsole
const cleanUps: (() => unknown)[] = []
test.before(async () => {
  const t = { teardown: (cleanUp: () => unknown) => void cleanUps.unshift(cleanUp) }
  shared = await startOwnConsole(t, { collections: {}, media: {} }, { collections: COLLECTIONS })
})
test.after.always(async () => {
  for (const cleanUp of cleanUps) await cleanUp()
})

/** Registers a person with a new workspace. */
async function start() {
  const { kernel, open, problems } = shared
  const ada = await kernel.register(`${randomUUID()}@example.test`, { name: 'Ada Lovelace' })
  return {
    ada,
    open,
    problems,
    async create(collection: string, row: object): Promise<Book> {
      const { status, body } = await ada.post<Book>(`/v1/data/${collection}`, row)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body
    },
    books: async () => (await ada.get<{ data: readonly Book[] }>('/v1/data/books?sort=title')).body.data,
  }
}

/** Titles in the list, in its order. */
const titles = (page: Page): Promise<string[]> => page.locator('tbody .row-link').allTextContents()
const shows = (page: Page, expected: readonly string[]) =>
  waitFor(
    () => titles(page),
    found => JSON.stringify(found) === JSON.stringify(expected),
  )
async function addFilter(page: Page, field: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: field, exact: true }).click()
  return page.getByRole('group', { name: field, exact: true })
}

test.serial('filters rows by fields with operators, sorts by a header, and keeps both in the address', async t => {
  const { ada, open, create, problems } = await start()
  const writer = await create('authors', { name: 'Ada' })
  await create('books', { title: '100% Tea', price: 4900, level: 'easy', author: writer.id })
  await create('books', { title: "Ann's Sums", price: 1250, level: 'hard' })
  await create('books', { title: 'Maps', price: 900, level: 'hard' })
  const page = await open(ada, '/collections/books')
  await page.getByText('€49.00').waitFor()
  await page.getByRole('cell', { name: 'Ada', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Price' }).click()
  await shows(page, ['Maps', "Ann's Sums", '100% Tea'])
  await page.getByRole('button', { name: 'Price' }).click()
  await shows(page, ['100% Tea', "Ann's Sums", 'Maps'])
  t.is(await page.getByRole('columnheader', { name: 'Price' }).getAttribute('aria-sort'), 'descending')

  const price = await addFilter(page, 'Price')
  await price.getByLabel('Comparison: Price').selectOption('at most')
  await price.getByLabel('Price at most').fill('12.50')
  await shows(page, ["Ann's Sums", 'Maps'])
  const title = await addFilter(page, 'Title')
  await title.getByLabel('Title contains').fill("'")
  await shows(page, ["Ann's Sums"])
  t.deepEqual(await checkScreen(page, 'collection-filters'), [])
  await page.reload()
  await shows(page, ["Ann's Sums"])
  await page.getByRole('button', { name: 'Remove filter: Price' }).click()
  await page.getByLabel('Title contains').fill('%')
  await shows(page, ['100% Tea'])
  await page.getByRole('button', { name: 'Remove filter: Title' }).click()
  await page.getByRole('combobox', { name: 'Level', exact: true }).selectOption('hard')
  await shows(page, ["Ann's Sums", 'Maps'])
  await page.getByRole('combobox', { name: 'Level', exact: true }).selectOption('')

  const author = await addFilter(page, 'Author')
  await author.getByRole('button', { name: /^Choose/ }).click()
  await page.getByRole('radio', { name: 'Ada' }).click()
  await shows(page, ['100% Tea'])
  await author.getByText('Ada').waitFor()

  const creator = await addFilter(page, 'Created by')
  await creator.getByRole('button', { name: /^Choose/ }).click()
  await page.getByRole('radio', { name: 'Ada Lovelace' }).click()
  await creator.getByText('Ada Lovelace').waitFor()
  await shows(page, ['100% Tea'])
  t.deepEqual(problems, [])
})

test.serial('filters over a reference and by alternatives, and finds the saved view again', async t => {
  const { ada, open, create, problems } = await start()
  const writer = await create('authors', { name: 'Ada' })
  await create('books', { title: 'Tea', price: 4900, level: 'easy', author: writer.id })
  await create('books', { title: 'Maps', price: 900, level: 'hard' })
  await create('books', { title: 'Sums', price: 100, level: 'easy' })
  const page = await open(ada, '/collections/books')
  const author = await addFilter(page, 'Author')
  await author.getByLabel('Field of Author').selectOption('› Name')
  const name = page.getByRole('group', { name: 'Author › Name' })
  await name.getByLabel('Author › Name contains').fill('Ad')
  await shows(page, ['Tea'])
  await name.getByRole('button', { name: 'Remove filter: Author › Name' }).click()

  await addFilter(page, 'Title').then(row => row.getByLabel('Title contains').fill('s'))
  await shows(page, ['Sums', 'Maps'])
  await page.getByRole('button', { name: 'Or…' }).click()
  await page.getByRole('menuitem', { name: 'Level' }).click()
  await page.getByLabel('Level is', { exact: true }).selectOption('Easy')
  await shows(page, ['Sums'])
  await page.getByRole('button', { name: 'or', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Title' }).click()
  await page.getByRole('group', { name: 'Alternative 2' }).getByLabel('Title contains').fill('Ma')
  await shows(page, ['Sums', 'Maps'])
  t.deepEqual(await checkScreen(page, 'collection-alternatives'), [])

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  await page.getByLabel('Name of the view').fill('<b>Ours</b>')
  await page.getByLabel('Share with the workspace').check()
  t.deepEqual(await checkScreen(page, 'view-dialog'), [])
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByText('View “<b>Ours</b>” saved.').waitFor()
  const { person } = await colleague(shared.kernel, ada, ['tenant.owner'])
  const other = await open({ ...person, tenantId: ada.tenantId }, '/collections/books')
  await shows(other, ['Sums', 'Maps', 'Tea'])
  await other.getByRole('button', { name: 'Views' }).click()
  await other.getByRole('menuitem', { name: '<b>Ours</b>' }).click()
  await shows(other, ['Sums', 'Maps'])
  await other.getByRole('button', { name: 'Views' }).click()
  await other.getByRole('menuitem', { name: 'Manage views…' }).click()
  await other.getByRole('button', { name: 'Delete view “<b>Ours</b>”' }).click()
  const confirmation = other.getByRole('alertdialog', { name: 'Delete view “<b>Ours</b>”?' })
  await confirmation.getByText('It disappears for everyone in the workspace.').waitFor()
  t.deepEqual(await checkScreen(other, 'view-deletion'), [])
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await other.getByText('No saved views').waitFor()
  t.deepEqual(problems, [])
})

test.serial('shows how many rows match, also of those that are not loaded', async t => {
  const { ada, open } = await start()
  const rows = Array.from({ length: 120 }, (_, n) => ({ title: `Book ${n}`, level: n < 70 ? 'easy' : 'hard' }))
  t.is((await ada.post('/v1/data/books', rows)).status, 201)
  const page = await open(ada, '/collections/books')
  await page.getByText('50 of 120 rows loaded').waitFor()
  await page.getByRole('combobox', { name: 'Level', exact: true }).selectOption('easy')
  await page.getByText('50 of 70 rows loaded').waitFor()
})

test.serial('creates a row with a found and a new reference, an amount and an image', async t => {
  const { ada, open, create, books, problems } = await start()
  await ada.post(
    '/v1/data/authors',
    Array.from({ length: 200 }, (_, n) => ({ name: `Writer ${n}` })),
  )
  const grace = await create('authors', { name: 'Grace <b>Hopper</b>' })
  await ada.post(
    '/v1/data/authors',
    Array.from({ length: 100 }, (_, n) => ({ name: `Other ${n}` })),
  )
  const page = await open(ada, '/collections/books/new')
  const requests: URL[] = []
  page.on('request', request => {
    const url = new URL(request.url())
    if (url.pathname === '/v1/data/authors') requests.push(url)
  })
  // Messages stand beside their fields, in words, with their number above.
  const refused = async (summary: string, messages: readonly string[]) => {
    await page.getByRole('button', { name: 'Create book' }).click()
    await page.locator('form .error', { hasText: messages.at(-1) as string }).waitFor()
    await page.getByRole('alert').getByText(summary, { exact: true }).waitFor()
    t.deepEqual(await page.locator('form .error').allTextContents(), messages)
  }
  await page.getByLabel('Pages').fill('few')
  await refused('Check the 2 marked fields.', [
    'Fill in this field.',
    'Enter a number, without separators of thousands.',
  ])
  await page.getByLabel('Title').fill('Compilers')
  await page.getByLabel('Pages').fill('0')
  await refused('Check the marked field.', ['must be 1 or more'])
  await page.getByLabel('Pages').fill('')
  await page.getByRole('textbox', { name: 'Print' }).fill('{"color": 1}')
  await refused('Check the marked field.', ['color must be a text'])
  await page.getByRole('textbox', { name: 'Print' }).fill('')
  await page.getByLabel('Price (EUR)').fill('49.9')
  t.deepEqual(await page.getByLabel('Level').locator('option').allTextContents(), ['Not set', 'Easy', 'Hard'])
  await page.getByLabel('Level').selectOption('hard')
  await page.getByRole('button', { name: 'Choose: Author' }).click()
  await page.getByText('There are more matches').waitFor()
  await searchFor(page.getByLabel('Search Authors'), 'gra')
  await page.getByRole('radio', { name: 'Grace <b>Hopper</b>' }).waitFor()
  t.deepEqual(await checkScreen(page, 'relation-picker'), [])
  await page.getByRole('radio', { name: 'Grace <b>Hopper</b>' }).click()
  await page.locator('.chip', { hasText: 'Grace <b>Hopper</b>' }).waitFor()
  t.true(
    requests.every(({ searchParams }) => Number(searchParams.get('limit')) <= 50 || searchParams.has('filter[id][in]')),
  )

  await page
    .locator('.file-input input[type=file]')
    .setInputFiles([{ name: 'cover.png', mimeType: 'image/png', buffer: await png(640, 480) }])
  await page.locator('.file-input img').waitFor()
  await page.getByText('cover.png').waitFor()
  t.deepEqual(await checkScreen(page, 'collection-form'), [])
  await page.getByRole('button', { name: 'Create book' }).click()
  await page.getByRole('heading', { name: 'Compilers', level: 1 }).waitFor()
  await page.getByText('€49.90').waitFor()
  await page.getByText('Grace <b>Hopper</b>').waitFor()
  const [book] = await books()
  t.like(book, { price: 4990, level: 'hard', author: grace.id })
  t.regex(String(book?.cover), /^med_/)

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Choose: Author' }).click()
  await page.getByRole('button', { name: 'New author' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Barbara')
  await dialog.getByRole('button', { name: 'Create author' }).click()
  await page.locator('.chip', { hasText: 'Barbara' }).waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Compilers', level: 1 }).waitFor()
  await page.getByText('Barbara').waitFor()
  t.deepEqual(problems, [])
})

test.serial('a deleted row is restored from the message, and versions name who changed what', async t => {
  const { ada, open, create, books, problems } = await start()
  const [first, second] = [await create('authors', { name: 'Ada' }), await create('authors', { name: 'Grace' })]
  const book = await create('books', { title: 'Tea', price: 900, author: first.id })
  await ada.patch(`/v1/data/books/${book.id}`, { price: 1250, author: second.id })
  const page = await open(ada, `/collections/books/${book.id}`)
  await page.getByRole('button', { name: 'Actions: Tea' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('You can undo this').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No books yet').waitFor()
  t.is((await books()).length, 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Tea' }).click()

  await page.getByRole('tab', { name: 'Versions' }).click()
  const versions = page.getByRole('tabpanel')
  const change = versions.getByRole('row', { name: /^Price/ })
  await change.getByText('€9.00').waitFor()
  await change.getByText('€12.50').waitFor()
  await versions.getByRole('row', { name: /^Author Ada Grace/ }).waitFor()
  await versions.getByText('Ada Lovelace').first().waitFor()
  t.deepEqual(await checkScreen(page, 'collection-versions'), [])
  await versions.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
  await waitFor(books, ([found]) => found?.price === 900 && found.author === first.id)
  t.deepEqual(problems, [])
})

test.serial('changes cells in the list, and one field of several rows, which is undone', async t => {
  const { ada, open, create, books, problems } = await start()
  for (const title of ['Atlas', 'Maps', 'Tea']) await create('books', { title, price: 900, level: 'easy' })
  const page = await open(ada, '/collections/books?sort=title')
  await page.getByRole('button', { name: 'Edit in the list' }).click()
  const price = page.getByLabel('Price: Maps')
  await price.fill('12,50')
  await price.press('Enter')
  await waitFor(books, ([, maps]) => maps?.price === 1250)
  await page.getByLabel('Level: Tea').selectOption('hard')
  await waitFor(books, ([, , tea]) => tea?.level === 'hard')
  await page.getByLabel('Title: Tea').fill('')
  await page.getByLabel('Title: Tea').press('Enter')
  await page.getByText('Fill in this field.').waitFor()
  await page.getByLabel('Title: Tea').press('Escape')
  // Another person changes the same field first.
  const [atlas] = await books()
  await ada.patch(`/v1/data/books/${atlas?.id}`, { title: 'Atlas of Roses' })
  await page.getByLabel('Title: Atlas', { exact: true }).fill('Globe')
  await page.getByLabel('Title: Atlas', { exact: true }).press('Enter')
  await page.getByText('Someone else changed this row.').waitFor()
  await page.getByLabel('Title: Atlas of Roses').waitFor()
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 860 })
    await page.getByLabel('Price: Tea').waitFor()
    const clipped = page.locator('td:has(input:not([type=checkbox]), select)')
    const count = () => clipped.evaluateAll(all => all.filter(cell => cell.scrollWidth > cell.clientWidth).length)
    await waitFor(count, found => found === 0)
  }
  t.deepEqual(await checkScreen(page, 'collection-inline'), [])
  await page.getByRole('button', { name: 'Edit in the list' }).click()

  await page.getByLabel('Select all loaded rows').check()
  await page.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Field').selectOption('Price')
  await dialog.getByLabel(/^New value/).fill('1')
  t.deepEqual(await checkScreen(page, 'collection-bulk'), [])
  await dialog.getByRole('button', { name: 'Change rows (3)' }).click()
  await page.getByText('Rows changed: 3.').waitFor()
  t.deepEqual(
    (await books()).map(book => book.price),
    [100, 100, 100],
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('3 records restored.').waitFor()
  t.deepEqual(
    (await books()).map(book => book.price),
    [900, 1250, 900],
  )

  await page.getByRole('button', { name: 'Edit…' }).click()
  await dialog.getByLabel('Field').selectOption('ISBN')
  await dialog.getByLabel(/^New value/).fill('978')
  await dialog.getByRole('button', { name: 'Change rows (3)' }).click()
  await dialog.getByRole('alert').getByText('Maps: ISBN is taken').waitFor()
  t.true((await books()).every(({ isbn }) => isbn === null))
  t.deepEqual(problems, [])
})

test.serial('opens a row by a click beside its name, and selects rows by ranges and keys', async t => {
  const { ada, open, create, problems } = await start()
  for (const title of ['Atlas', 'Maps', 'Roses', 'Tea']) await create('books', { title, price: 900 })
  const page = await open(ada, '/collections/books?sort=title')
  const box = (title: string) => page.getByLabel(`Select ${title}`)
  const chosen = () => page.locator('tbody tr[data-selected] .row-link').allTextContents()
  const areChosen = (...titles: readonly string[]) => waitFor(chosen, found => found.join() === titles.join())
  await box('Maps').check()
  await page.locator('th input:indeterminate').waitFor()
  await box('Tea').click({ modifiers: ['Shift'] })
  await areChosen('Maps', 'Roses', 'Tea')
  t.deepEqual(await checkScreen(page, 'collection-selection'), [])
  await page.keyboard.press('Escape')
  await areChosen()

  await page.getByRole('link', { name: 'Atlas' }).focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await areChosen('Atlas', 'Maps')
  await page.keyboard.press('x')
  await areChosen('Atlas')
  await page.keyboard.press('Control+a')
  await areChosen('Atlas', 'Maps', 'Roses', 'Tea')
  await page.keyboard.press('Escape')
  await areChosen()

  const row = (title: string) => page.getByRole('row').filter({ hasText: title })
  await row('Roses').getByText('€9.00').click()
  await page.getByRole('heading', { name: 'Roses', level: 1 }).waitFor()
  await page.goBack()
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    row('Maps')
      .getByText('€9.00')
      .click({ modifiers: ['ControlOrMeta'] }),
  ])
  await opened.getByRole('heading', { name: 'Maps', level: 1 }).waitFor()
  await opened.close()
  await page.getByRole('button', { name: 'Edit in the list' }).click()
  await page.getByLabel('Price: Maps').waitFor()
  await row('Maps')
    .getByRole('cell')
    .last()
    .click({ position: { x: 2, y: 2 } })
  t.regex(page.url(), /\/collections\/books\?/)
  t.deepEqual(problems, [])
})

test.serial('asks which amount a column of whole numbers means, and shows amounts in words', async t => {
  const { ada, open, books, problems } = await start()
  const page = await open(ada, '/collections/books')
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const dialog = page.getByRole('dialog')
  const choose = (text: string) =>
    dialog
      .getByLabel('CSV file')
      .setInputFiles([{ name: 'books.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }])
  await choose('title;price\nTea;1.234,50\n')
  await dialog.getByRole('cell', { name: '€1,234.50' }).waitFor()
  await choose('title,price (EUR)\nTea,49\n')
  await dialog.getByRole('cell', { name: '€49.00' }).waitFor()

  await choose('title,price\nTea,4900\nMaps,\n')
  await dialog.getByRole('cell', { name: '4900' }).waitFor()
  await dialog.getByRole('button', { name: 'Check file' }).click()
  const question = dialog.getByLabel('Price: which amount is meant?')
  await question.waitFor()
  t.true(await dialog.getByRole('button', { name: 'Check file' }).isDisabled())
  t.deepEqual(await question.locator('option').allTextContents(), [
    'Choose an amount',
    '4900: €4,900.00',
    '4900: €49.00',
  ])
  t.deepEqual(await checkScreen(page, 'collection-import-amounts'), [])
  await question.selectOption('4900: €49.00')
  await dialog.getByRole('cell', { name: '€49.00' }).waitFor()
  await dialog.getByRole('button', { name: 'Check file' }).click()
  await dialog.getByRole('button', { name: 'Import rows (2)' }).click()
  await waitFor(
    async () => (await books()).map(({ price }) => price),
    found => JSON.stringify(found) === '[null,4900]',
  )
  t.deepEqual(problems, [])
})

test.serial('shows the values of a file as the import reads them, below a title', async t => {
  const { ada, open, create, problems } = await start()
  const { id } = await create('authors', { name: 'Ada Writer' })
  const page = await open(ada, '/collections/books')
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const dialog = page.getByRole('dialog')
  const text = `Books of 2026\n\ntitle;isbn;level;pages;author;out;appeared;read;rating\nTea;2;easy;1200;${id};2026-01-31;2026-01-31T18:30:00Z;WAHR;4,5\nMaps;3;hard;;;31.01.2026;2026-02-30T10:00:00Z;yes;many\n`
  await dialog
    .getByLabel('CSV file')
    .setInputFiles([{ name: 'books.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }])
  await dialog.getByRole('columnheader', { name: 'isbn' }).waitFor()
  await dialog.getByRole('cell', { name: 'Ada Writer' }).waitFor()
  t.deepEqual(
    (await dialog.getByRole('cell').allTextContents()).map(cell => cell.trim()),
    [
      'Tea',
      '2',
      'Easy',
      '1,200',
      'Ada Writer',
      'Jan 31, 2026',
      'Jan 31, 2026, 6:30 PM',
      'Yes',
      '4.5',
      'Maps',
      '3',
      'Hard',
      '',
      '',
      "31.01.2026 (can't be read)",
      "2026-02-30T10:00:00Z (can't be read)",
      "yes (can't be read)",
      "many (can't be read)",
    ],
  )
  t.deepEqual(await checkScreen(page, 'collection-import-preview'), [])
  t.deepEqual(problems, [])
})

test.serial('imports a CSV file after a look at its first rows and at the errors of all', async t => {
  const { ada, open, create, books, problems } = await start()
  await create('books', { title: 'Old title', isbn: '1' })
  const page = await open(ada, '/collections/books')
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const dialog = page.getByRole('dialog')
  const choose = (name: string, text: string) =>
    dialog.getByLabel('CSV file').setInputFiles([{ name, mimeType: 'text/csv', buffer: Buffer.from(text) }])
  await choose('unknown.csv', 'titel;isbn\nTea;2\n')
  await dialog.getByRole('button', { name: 'Check file' }).click()
  await dialog.getByRole('alert').getByText(/titel/).waitFor()

  await choose('books.csv', 'isbn;title;level\n1;New title;easy\n2;Tea;hard\n3;Maps;medium\n')
  await dialog.getByRole('cell', { name: 'New title' }).waitFor()
  await dialog.getByLabel('Rows that exist').selectOption('Update by ISBN')
  t.deepEqual(await checkScreen(page, 'collection-import'), [])
  await dialog.getByRole('button', { name: 'Check file' }).click()
  await dialog.getByText('Valid rows: 2 of 3.').waitFor()
  await dialog.getByRole('row', { name: /^4 Level/ }).waitFor()
  t.deepEqual(await checkScreen(page, 'collection-import-errors'), [])
  t.is((await books()).length, 1)
  await dialog.getByRole('button', { name: 'Import valid rows (2), skip the others' }).click()
  await dialog.getByText('Created: 1. Updated: 1. Failed: 1.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('link', { name: 'New title' }).waitFor()
  t.deepEqual(
    (await books()).map(({ title }) => title),
    ['New title', 'Tea'],
  )
  t.deepEqual(problems, [])
})

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5).slice(0, 200)
/** What a title can be at worst. */
const ODD_TITLES = [LONG_WORD, 'مقدمة قصيرة في الخوارزميات', '👩🏽‍🚀'.repeat(20), '<b>Bold</b> & "quotes"']

/** Whether the list is wider than its place. */
const isCut = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`(list => list.scrollWidth > list.clientWidth)(document.querySelector('[aria-label=Books]'))`)

/** Somebody with the same login, who touches the screen. */
async function touchContext(page: Page) {
  const context = await page
    .context()
    .browser()
    ?.newContext({
      storageState: await page.context().storageState(),
      hasTouch: true,
      isMobile: true,
      viewport: { width: 1280, height: 860 },
    })
  if (!context) throw new Error('the page has no browser')
  return context
}

test.serial('a list fits into the window with any title, and is a list of cards on a phone', async t => {
  const { ada, open, create } = await start()
  const writer = await create('authors', { name: LONG_WORD })
  for (const title of ODD_TITLES)
    await create('books', { title, price: 123_456, level: 'hard', author: writer.id, pages: 1200 })
  const page = await open(ada, '/collections/books')
  await page.getByRole('link', { name: LONG_WORD.slice(0, 100) }).waitFor()
  await waitForScreen(page)
  t.false(await isCut(page))
  t.is(await page.evaluate(`getComputedStyle(document.querySelector('td[data-kind=number]')).textAlign`), 'right')
  const [time] = await page.locator('tbody time').all()
  t.is(await time?.textContent(), 'now')
  t.regex((await time?.getAttribute('title')) ?? '', /^\w+day, \w+ \d+, \d{4} at \d+:\d\d [AP]M$/)
  const heights = `[...new Set([...document.querySelectorAll('tbody tr')].map(row => Math.round(row.clientHeight)))]`
  t.deepEqual(await page.evaluate(heights), [36])
  t.is(await page.evaluate(`getComputedStyle(document.querySelector('tbody td')).position`), 'sticky')
  const touched = await (await touchContext(page)).newPage()
  await touched.goto(page.url())
  await touched.getByRole('link', { name: LONG_WORD.slice(0, 100) }).waitFor()
  t.deepEqual(await touched.evaluate(heights), [44])
  await touched.context().close()

  await page.setViewportSize({ width: 390, height: 860 })
  await page.getByRole('row').filter({ hasText: 'Bold' }).getByRole('cell', { name: 'Hard' }).waitFor()
  t.false(await isCut(page))
  t.is(await page.getByRole('columnheader', { name: 'Price' }).count(), 0)
  t.deepEqual(await checkScreen(page, 'collection-cards'), [])
  await page.getByRole('link', { name: ODD_TITLES[1] as string }).click()
  const heading = page.getByRole('heading', { name: ODD_TITLES[1] as string, level: 1 })
  await heading.waitFor()
  t.is(await page.evaluate(`getComputedStyle(document.querySelector('main h1')).direction`), 'rtl')
  t.deepEqual(await checkScreen(page, 'collection-record-rtl'), [])
})

test.serial('a record shows its times and references beside its content, and what is empty when asked', async t => {
  const { ada, open, create, problems } = await start()
  const writer = await create('authors', { name: 'Grace' })
  const book = await create('books', { title: 'Tea', price: 900, author: writer.id, print: { color: 'red' } })
  const page = await open(ada, `/collections/books/${book.id}`)
  const content = page.getByRole('main').locator('dl').first()
  await content.getByText('€9.00').waitFor()
  t.deepEqual(await content.locator('> div > dt').allTextContents(), ['Title', 'Price', 'Print'])
  t.is(await page.getByText('Not set').count(), 0)
  await page.getByRole('button', { name: 'Show empty (9)' }).click()
  await content.getByText('ISBN').waitFor()
  t.true((await page.getByText('Not set').count()) > 0)
  t.deepEqual(await checkScreen(page, 'collection-record'), [])
  await page.getByRole('button', { name: 'Hide empty' }).click()
  await page.getByRole('link', { name: 'Grace' }).click()
  await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor()
  t.deepEqual(problems, [])
})

test.serial('a new row is announced once, with a link to it, and its forms have switches and defaults', async t => {
  const { open, ada, problems } = await start()
  const page = await open(ada, '/collections/courses/new')
  await page.getByLabel('Title').and(page.locator(':focus')).waitFor()
  t.is(await page.getByLabel('Level').inputValue(), 'easy')
  t.true(await page.getByRole('switch', { name: 'Published' }).isChecked())
  t.is(await page.getByText('optional').count(), 0)
  await page.getByLabel('Title').fill('Yoga')
  await page.getByRole('button', { name: 'Create course' }).click()
  await page.getByRole('heading', { name: 'Yoga', level: 1 }).waitFor()
  const messages = page.getByRole('region', { name: 'Notifications' })
  await messages.getByText('Course created.').waitFor()
  t.is(await messages.getByRole('paragraph').count(), 1)
  await page.getByRole('link', { name: 'Courses' }).first().click()
  await page.getByRole('heading', { name: 'Courses', level: 1 }).waitFor()
  await messages.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('heading', { name: 'Yoga', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('switch', { name: 'Published' }).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Yoga', level: 1 }).waitFor()
  const { body } = await ada.get<{ data: { title: string; published: boolean }[] }>('/v1/data/courses')
  t.false(body.data.find(({ title }) => title === 'Yoga')?.published)
  t.deepEqual(problems, [])
})

test.serial('saves a form by the keyboard, and keeps its buttons in view', async t => {
  const { ada, open, create, books } = await start()
  const book = await create('books', { title: 'Tea' })
  const page = await open(ada, `/collections/books/${book.id}/edit`)
  await page.getByLabel('Title').fill('Coffee')
  const save = page.getByRole('button', { name: 'Save changes' })
  const box = await save.boundingBox()
  t.true(box !== null && box.y + box.height <= (page.viewportSize()?.height ?? 0))
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Coffee', level: 1 }).waitFor()
  t.is((await books())[0]?.title, 'Coffee')
})

/** A million in the matrix. */
const AUTHORS = IS_MATRIX ? 1_000_000 : 5_000

/** By SQL, because a million rows by the API take minutes. The first one is the model of the others. */
async function writeAuthors(create: Awaited<ReturnType<typeof start>>['create']): Promise<void> {
  const { id } = await create('authors', { name: 'Writer 0' })
  const database = new pg.Client(shared.kernel.databaseUrl)
  database.on('error', () => {})
  await database.connect()
  await database.query(
    `insert into data_authors (tenant_id, id, name)
     select tenant_id, left(id, -8) || lpad(number::text, 8, '0'), 'Writer ' || number
     from data_authors, generate_series(1, $2) number where id = $1`,
    [id, AUTHORS - 1],
  )
  await database.query('vacuum analyze data_authors')
  await database.end()
}

test.serial('finds a row among very many in the picker, with small requests, and saves it', async t => {
  const { ada, create, open } = await start()
  await writeAuthors(create)
  const page = await open(ada, '/collections/books/new')
  const sizes: number[] = []
  page.on('response', async response => {
    if (new URL(response.url()).pathname !== '/v1/data/authors') return
    // A search that another one replaced has no body.
    const body = await response.body().catch(() => undefined)
    if (body) sizes.push(body.length)
  })
  let since = 0
  const log = (what: string) => t.log(`${what}: ${Math.round(performance.now() - since)} ms`)
  const search = page.getByLabel('Search Authors')
  const choose = async (typed: string, name: string) => {
    await search.fill('')
    since = performance.now()
    await search.pressSequentially(typed)
    await page.getByRole('radio', { name, exact: true }).waitFor()
    log(`shows ${name} after ${typed}`)
  }
  await page.getByLabel('Title').fill('Tea')
  since = performance.now()
  await page.getByRole('button', { name: 'Choose: Author' }).click()
  await page.getByText('There are more matches').waitFor()
  log('opens')
  await choose('Writer 17', 'Writer 17')
  await choose('4999', 'Writer 4999')
  await choose('Writer 499', 'Writer 499')
  await page.getByRole('radio', { name: 'Writer 499', exact: true }).click()
  await page.locator('.chip', { hasText: 'Writer 499' }).waitFor()
  since = performance.now()
  await page.getByRole('button', { name: 'Create book' }).click()
  await page.locator('dd', { hasText: 'Writer 499' }).waitFor()
  log('shows the saved row')
  t.true(
    sizes.every(bytes => bytes < 16_384),
    String(sizes),
  )
})

const LINES = IS_MATRIX ? 200_000 : 5_000
const WRONG = 300

test.serial('imports a long file of which some rows are wrong', async t => {
  const { ada, open } = await start()
  const page = await open(ada, '/collections/books')
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const dialog = page.getByRole('dialog')
  const lines = Array.from({ length: LINES }, (_, n) => `Book ${n},${n < WRONG ? 'medium' : 'hard'}`)
  const buffer = Buffer.from(`title,level\n${lines.join('\n')}\n`)
  await dialog.getByLabel('CSV file').setInputFiles([{ name: 'long.csv', mimeType: 'text/csv', buffer }])
  await dialog.getByRole('button', { name: 'Check file' }).click()
  const timeout = 240_000
  const valid = (LINES - WRONG).toLocaleString('en')
  await dialog.getByText(`Valid rows: ${valid} of ${LINES.toLocaleString('en')}.`).waitFor({ timeout })
  await dialog.getByText('Rows with errors: 300.').waitFor()
  await dialog.getByRole('button', { name: 'More errors' }).click()
  await dialog.getByRole('row', { name: /^301 Level/ }).waitFor()
  await dialog.getByRole('button', { name: `Import valid rows (${valid}), skip the others` }).click()
  await dialog.getByText(`Created: ${valid}. Updated: 0. Failed: 300.`).waitFor({ timeout })
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText(`50 of ${valid} rows loaded`).waitFor()
  t.pass()
})

test.serial('keeps what a person typed who is removed from the workspace, and says so', async t => {
  const { ada, open, create } = await start()
  const book = await create('books', { title: 'Tea' })
  const { person, memberId } = await colleague(shared.kernel, ada, ['tenant.owner'])
  const page = await open({ ...person, tenantId: ada.tenantId }, `/collections/books/${book.id}/edit`)
  await page.getByLabel('Title').fill('Coffee')
  t.is((await ada.delete(`/v1/identity/members/${memberId}`)).status, 204)
  await page.getByRole('button', { name: 'Save changes' }).click()
  const message = page.getByRole('alert').getByText("You aren't a member of this workspace")
  await message.waitFor()
  // The button is below the fields, and the message above them.
  await waitFor(
    async () => (await message.boundingBox())?.y ?? -1,
    top => top >= 0,
  )
  t.is(await page.getByLabel('Title').inputValue(), 'Coffee')
  await page.getByText('You no longer belong to the workspace').waitFor()
  page.on('dialog', dialog => dialog.accept())
  await page.reload()
  await page.getByText(/You don’t belong to the workspace “.+”, or it no longer exists\./).waitFor()
})

test.serial('a refused row links to the row that has its period, its place or its value', async t => {
  const { ada, open, create, problems } = await start()
  const course = await create('courses', { title: 'Yoga', seats: 1 })
  const days = { first: '2027-01-04', last: '2027-01-06' }
  const other = await create('visits', { title: 'Morning', code: 'A1', room: '1', ...days, course: course.id })
  await create('visits', { title: 'Evening', code: 'A2', room: '2', ...days })
  const page = await open(ada, '/collections/visits/new')
  const pathOf = async (link: Locator) => new URL((await link.getAttribute('href')) ?? '', page.url())
  const save = () => page.getByLabel('Title').press('Control+s')

  await page.getByLabel('Title').fill('Noon')
  await page.getByLabel('Code').fill('A1')
  await save()
  const find = await pathOf(page.getByRole('alert').getByRole('link', { name: 'Find rows with this value' }))
  t.regex(find.pathname, /\/collections\/visits$/)
  t.deepEqual(JSON.parse(find.searchParams.get('filters') ?? ''), { 'filter[code]': 'A1' })

  await page.getByLabel('Code').fill('A3')
  await page.getByLabel('Room').fill('1')
  await page.getByLabel('First').fill('2027-01-05')
  await page.getByLabel('Last').fill('2027-01-08')
  await save()
  await page.locator('form .error', { hasText: 'overlaps with row Morning' }).first().waitFor()
  const period = page.getByRole('alert').getByRole('link', { name: 'Morning' })
  t.true((await pathOf(period)).pathname.endsWith(`/visits/${other.id}`))
  t.deepEqual(await checkScreen(page, 'collection-conflict'), [])

  await page.getByLabel('Room').fill('3')
  await page.getByRole('button', { name: 'Choose: Course' }).click()
  await page.getByRole('radio', { name: 'Yoga' }).click()
  await save()
  const full = page.getByRole('alert').getByRole('link', { name: 'Yoga' })
  t.true((await pathOf(full)).pathname.endsWith(`/courses/${course.id}`))

  const list = await open(ada, '/collections/visits?sort=title')
  await list.getByRole('button', { name: 'Edit in the list' }).click()
  await list.getByLabel('Room: Evening').fill('1')
  await list.getByLabel('Room: Evening').press('Enter')
  const messages = list.getByRole('region', { name: 'Notifications' })
  await messages.getByRole('button', { name: 'Morning' }).waitFor()
  await list.getByLabel('Room: Evening').press('Escape')
  await list.getByLabel('Code: Evening').fill('A1')
  await list.getByLabel('Code: Evening').press('Enter')
  await messages.getByRole('button', { name: 'Find rows with this value' }).click()
  await list.getByLabel('Code: Evening').waitFor({ state: 'detached' })
  t.is(await list.getByLabel('Code: Morning').inputValue(), 'A1')

  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.reload()
  await page.getByLabel('Titel').fill('Mittag')
  await page.getByLabel('Code').fill('A1')
  await page.getByLabel('Code').press('Control+s')
  await page.getByRole('link', { name: 'Zeilen mit diesem Wert suchen' }).waitFor()
  t.deepEqual(problems, [])
})

test.serial('speaks German', async t => {
  const { ada, open, create } = await start()
  const book = await create('books', { title: 'Tee', price: 490_000 })
  await ada.patch(`/v1/data/books/${book.id}`, { price: 900 })
  const page = await open(ada, '/collections/books')
  await page.evaluate(`localStorage.setItem('larder.console.language', '"de"')`)
  await page.reload()
  await page.getByRole('button', { name: 'In der Liste bearbeiten' }).waitFor()
  await page.getByRole('button', { name: 'CSV importieren' }).waitFor()
  await page.getByText('9,00 €').waitFor()
  await page.getByRole('button', { name: 'Filtern' }).click()
  await page.getByRole('menuitem', { name: 'ISBN' }).click()
  await page.getByLabel('Vergleich: ISBN').selectOption('beginnt mit')
  await page.getByRole('link', { name: 'Tee' }).click()
  await page.getByRole('tab', { name: 'Versionen' }).click()
  await page.getByText('Vorher').waitFor()
  await waitForScreen(page)
  t.deepEqual(await checkScreen(page, 'collection-versions-de'), [])
})
