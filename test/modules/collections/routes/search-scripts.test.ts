/** Searches in every script, with and without accents. */
import test from 'ava'
import pg from 'pg'
import { searchQuery, searchTerms } from '../../../../modules/collections/domain/queries/search-words.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

let database: pg.Client

interface Note {
  readonly title: string
  readonly highlights: { readonly title?: string; readonly body?: string }
}

const { kernel, owner } = withPeople(
  test,
  {
    recipe: {
      modules: { identity: {}, comms: {}, collections: {} },
      collections: {
        notes: {
          fields: { title: { type: 'text', required: true }, body: { type: 'longtext' } },
          search: ['title', 'body'],
        },
        texts: {
          fields: { title: { type: 'text', required: true }, body: { type: 'longtext' } },
          search: ['title', 'body'],
        },
      },
    },
  },
  { owner: 'owner' },
  async () => {
    database = new pg.Client(kernel.databaseUrl)
    database.on('error', () => {})
    await database.connect()
    for (const [title] of FOUND) await owner.post('/v1/data/notes', { title })
  },
)
test.after.always(() => database?.end())

const find = async (q: string, collection = 'notes'): Promise<readonly Note[]> => {
  const { status, body } = await owner.get<{ data: Note[] }>(`/v1/data/${collection}?q=${encodeURIComponent(q)}`)
  if (status !== 200) throw new Error(`${q} returned ${status}`)
  return body.data
}

const FOUND: readonly (readonly [title: string, ...queries: string[]])[] = [
  [
    'Überweisung an Müller',
    'uberweisung',
    'ÜBERWEISUNG',
    'muller',
    'müller',
    'Mu\u0308ller',
    'uberw*',
    '"uberweisung an"',
  ],
  ['creme brulee', 'crème brûlée', 'CRÈME', 'brûlée'],
  ['Straße der Größe', 'strasse', 'STRASSE', 'straße', 'grosse'],
  ['Lodz, Oslo, Aero', 'Łódź', 'Ærø'],
  ['软件测试工具v2', '测试', '测试工具', '软', '具', '工具v2', '测试工具 v2', '"软件测试"'],
  ['これはテストです', 'テスト', 'ﾃｽﾄ', 'これ', 'です'],
  ['문서번역하기', '번역', '번역하기', '문서'],
  ['ภาษาไทยที่นี่', 'ไทย', 'ภาษา', 'ที่นี่', 'ภาษาไทย'],
  ['Ἀθῆναι και ΟΔΟΣ', 'αθηναι', 'οδος'],
  ['Ёлка и йод', 'елка', 'ёлка'],
  ['İSTANBUL ılık', 'istanbul', 'ilik'],
  ['مُحَمَّد', 'محمد'],
  ['Cafe\u0301 au lait', 'café', 'cafe'],
]

for (const [title, ...queries] of FOUND)
  test(`finds ${title}`, async t => {
    for (const q of queries) {
      const found = await find(q)
      t.deepEqual(
        found.map(note => note.title),
        [title.normalize('NFC')],
        q,
      )
      t.regex(found[0]?.highlights.title ?? '', /<mark>/, q)
    }
  })

test('does not find letters that a text has apart', async t => {
  for (const q of ['测具', '件工', 'トテ', '-测试 测试', '"工具 测试"']) t.deepEqual(await find(q), [], q)
})

test('marks the words as the text has them', async t => {
  const marked = async (q: string) => (await find(q))[0]?.highlights.title
  t.is(await marked('uberweisung muller'), '<mark>Überweisung</mark> an <mark>Müller</mark>')
  t.is(await marked('测试'), '软件<mark>测试</mark>工具v2')
  t.is(await marked('strasse'), '<mark>Straße</mark> der Größe')
  t.is(await marked('ไทย'), 'ภาษา<mark>ไทย</mark>ที่นี่')
})

test('shows two parts of a long text', async t => {
  const filler = 'word '.repeat(60)
  await owner.post('/v1/data/texts', { title: 'long', body: `${filler}Größe <b>one</b> ${filler}größe ${filler}` })
  const [note] = await find('long grosse', 'texts')
  const [first = '', second = '', ...others] = note?.highlights.body?.split(' ... ') ?? []
  t.regex(first, /word <mark>Größe<\/mark> &#60;b&#62;one/)
  t.regex(second, /word <mark>größe<\/mark> word/)
  t.deepEqual(others, [])
  for (const part of [first, second]) t.true(part.split(' ').length <= 22, part)
})

test.serial('the words of a text in the database are those of a query', async t => {
  const texts = FOUND.flatMap(([title, ...queries]) => [title, ...queries.filter(q => !/["*]/.test(q))])
  for (const text of texts) {
    const query = searchQuery(searchTerms(`"${text}"`))
    const { rows } = await database.query<{ found: boolean }>(
      `select to_tsvector('simple', larder_words($1)) @@ to_tsquery('simple', $2) as found`,
      [text, query],
    )
    t.true(rows[0]?.found, `${text}: ${query}`)
  }
})

test('texts of the greatest length in any script are stored', async t => {
  const random = (from: number, count: number) =>
    Array.from({ length: 50_000 }, (_, at) => String.fromCodePoint(from + ((at * 7919) % count))).join('')
  for (const body of [random(0x4e00, 20_000), random(0x20000, 40_000), random(0xac00, 11_000)]) {
    const { status } = await owner.post('/v1/data/texts', { title: 'great', body })
    t.is(status, 201)
  }
})

test('a changed text is found by its new words only', async t => {
  const { body } = await owner.post<{ id: string }>('/v1/data/notes', { title: 'Vorher' })
  await owner.patch(`/v1/data/notes/${body.id}`, { title: 'Nächster' })
  t.is((await find('nachster')).length, 1)
  t.deepEqual(await find('vorher'), [])
})
