/** The functions and the collation of the database, and what JavaScript has for them. */
import test from 'ava'
import fc from 'fast-check'
import pg from 'pg'
import { byNames, folded } from '../../../kernel/base/index.ts'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'

let kernel: TestKernel
let database: pg.Client
test.before(async () => {
  kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {} } } })
  database = new pg.Client(kernel.databaseUrl)
  database.on('error', () => {})
  await database.connect()
})
test.after.always(async () => {
  await database?.end()
  await kernel?.stop()
})

const TEXTS = [
  'Überweisung',
  'Crème Brûlée'.normalize('NFD'),
  'Straße GROẞ',
  'ÆØÅ œuvre þorn ŁÓDŹ',
  'ΟΔΌΣ σοφός',
  'İstanbul Iğdır',
  '测试工具',
  'テスト ﾃｽﾄ',
  'がんばれ',
  '번역하다',
  'ภาษาไทย ที่นี่',
  'iPhone手机 v2.0',
  'don’t a/b\u2028c',
  'ﬁne ＡＢＣ',
  'مُحَمَّد',
  'می‌خواهم',
  '',
  ' ',
  '😀 a😀b',
  '\u0e31',
  'ကျေးဇူး',
  'សួស្តី',
  'ສະບາຍດີ',
  'क्षत्रिय',
]

/** Without letters that some supported version of ICU doesn't know. */
const ALPHABETS = [
  [0x20, 0x24f],
  [0x250, 0x52f],
  [0x5d0, 0x6ff],
  [0x900, 0x97f],
  [0xe00, 0xeff],
  [0x1000, 0x109f],
  [0x1100, 0x11ff],

  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x3000, 0x30ff],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
  [0xff00, 0xffee],
]

test.serial('the database folds texts as JavaScript does', async t => {
  const letters = fc.oneof(
    fc.constantFrom(...TEXTS),
    ...ALPHABETS.map(([min, max]) =>
      fc.string({ unit: fc.integer({ min, max }).map(code => String.fromCodePoint(code)) }),
    ),
  )
  const samples = [...TEXTS, ...fc.sample(letters, { numRuns: 2000, seed: 1 })].filter(text => !/\p{Cn}/u.test(text))
  const { rows } = await database.query<{ text: string; found: string }>(
    'select text, larder_folded(text) as found from unnest($1::text[]) text',
    [samples],
  )
  for (const { text, found } of rows) t.is(found, folded(text), JSON.stringify(text))
})

test.serial('names sort as people expect, in the database and in JavaScript', async t => {
  const names = [
    'Zoe',
    'anna',
    'de Vries',
    'Ägir',
    'Émile',
    'Zoé',
    'Anna',
    'Straße',
    'Strasse',
    'Øster',
    '张伟',
    'Łukasz',
    'Łódź',
    '10',
    '2',
  ]
  const { rows } = await database.query<{ name: string }>(
    'select name from unnest($1::text[]) name order by name collate larder_names',
    [names],
  )
  const sorted = rows.map(({ name }) => name)
  t.deepEqual(sorted.slice(0, 6), ['10', '2', 'Ägir', 'anna', 'Anna', 'de Vries'])
  t.deepEqual(sorted, names.toSorted(byNames))
})

test.serial('the collation tells names apart that differ in their bytes only', async t => {
  const { rows } = await database.query<{ same: boolean; deterministic: boolean }>(
    `select 'é' collate larder_names = $1 as same, collisdeterministic as deterministic
       from pg_collation where collname = 'larder_names'`,
    ['e\u0301'],
  )
  t.deepEqual(rows, [{ same: false, deterministic: true }])
})
