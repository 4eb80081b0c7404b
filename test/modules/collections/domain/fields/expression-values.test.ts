/** Expressions have the same value in memory and in PostgreSQL. */
import test from 'ava'
import { type ExpressionType, parseExpression } from '../../../../../modules/collections/domain/fields/expression.ts'
import { EXPRESSION_TYPES, expressionType } from '../../../../../modules/collections/domain/fields/expression-types.ts'
import {
  type ExpressionValue,
  expressionValue,
} from '../../../../../modules/collections/domain/fields/expression-values.ts'
import { expressionSql } from '../../../../../modules/collections/domain/tables/expression-sql.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { connectOwner, recipeWith } from '../../fixtures.ts'

const COLUMNS = {
  t: 'text',
  u: 'text',
  n: 'number',
  m: 'number',
  b: 'boolean',
  d: 'date',
  e: 'date',
  s: 'datetime',
  w: 'datetime',
  l: 'duration',
} as const satisfies Record<string, ExpressionType>
const SQL_TYPES = {
  text: 'text',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  duration: 'bigint',
} as const
type Row = { readonly [Name in keyof typeof COLUMNS]: string | number | boolean | null }

const ROWS: readonly Row[] = [
  {
    t: 'Ada Lovelace',
    u: ' ',
    n: 3,
    m: 2.5,
    b: true,
    d: '2024-01-31',
    e: '2026-11-29',
    s: '2026-11-29T14:30:00.250Z',
    w: '1969-12-31T23:59:59.999Z',
    l: 5_400_000,
  },
  {
    t: '',
    u: 'a,b,,c',
    n: 0,
    m: -1.5,
    b: false,
    d: '2024-02-29',
    e: '0001-01-01',
    s: '2000-02-29T00:00:00Z',
    w: '9999-12-31T23:59:59Z',
    l: 0,
  },
  {
    t: '😀 Größe',
    u: ',',
    n: 1e15,
    m: 0.1,
    b: true,
    d: '9999-12-31',
    e: '1970-01-01',
    s: '1970-01-01T00:00:00Z',
    w: '2024-03-31T01:30:00Z',
    l: 86_400_000,
  },
  {
    t: ' 12.50 ',
    u: '%_\\',
    n: -7,
    m: 1e-7,
    b: false,
    d: null,
    e: '2023-12-31',
    s: null,
    w: '2026-01-01T00:00:00Z',
    l: 1,
  },
  { t: null, u: 'x', n: null, m: 3, b: null, d: '2026-06-15', e: null, s: '2026-11-29T00:00:00Z', w: null, l: null },
]
const NOW = Date.parse('2026-11-29T15:58:00Z')

const FIXED = [
  "split(u, ',', 2)",
  "split(u, ',', -1)",
  "split(u, ',', 0)",
  "split(t, '', 1)",
  "split(t, ' ', 9)",
  "replace(t, 'a', 'o')",
  "replace(t, '', 'x')",
  'replace(t, u, null)',
  'substring(t, 1, 3)',
  'substring(t, 3)',
  'substring(t, 0, 2)',
  'substring(t, -3, 4)',
  'substring(t, 2, -1)',
  'substring(t, 1, n)',
  "join(' ', t, u)",
  'join(u, t, t)',
  "join(', ', null, t)",
  "join('', t)",
  'd + 1',
  '1.4 + d',
  'd - 31',
  'd - e',
  'e - 1',
  'd + 4000000',
  's + hours(2)',
  's - l',
  's - w',
  'w + days(1)',
  'l + minutes(30)',
  'days(s - w)',
  'hours(l)',
  'minutes(l) > 30',
  'addMonths(d, 1)',
  'addMonths(d, -1)',
  'addMonths(d, 12.5)',
  'addMonths(d, 1000000000)',
  'addMonths(e, -1)',
  'year(d)',
  'month(s)',
  'day(w)',
  'year(d + 1)',
  'date(s)',
  'date(w) - d',
  'today() + 14',
  'today() - d',
  'now() - s',
  'text(d)',
  "'Due ' + text(e)",
  'text(d + 4000000)',
  'd < e',
  's == w',
  'd != null',
  'coalesce(d, e)',
  'b ? d : e',
  'text(n)',
  'text(m)',
  'text(n * 1000)',
  'text(m / 1000000)',
  'number(t)',
  'n % m',
  'n % 0.3',
  'round(m)',
  'n / 0',
  'b && n > 1',
  'b || n > 1',
  '!b',
  'n == null || b',
  'length(t)',
  'trim(t) + u',
  'min(n, m)',
  'max(n, m)',
  'abs(m)',
  'upper(u)',
]

const typeOf = (name: string): ExpressionType => COLUMNS[name as keyof typeof COLUMNS]

/** A whole expression of a type, of random parts. */
function randomExpression(random: () => number, type: ExpressionType, depth = 3): string {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const of = (wanted: ExpressionType) => randomExpression(random, wanted, depth - 1)
  const leaf: Record<ExpressionType, readonly string[]> = {
    text: ['t', 'u', "'ab'", "','"],
    number: ['n', 'm', '2', '0', '1.5'],
    boolean: ['b', 'true', 'false'],
    date: ['d', 'e', 'today()'],
    datetime: ['s', 'w', 'now()'],
    duration: ['l', 'hours(2)', 'minutes(n)'],
  }
  if (depth === 0 || random() < 0.2) return pick(leaf[type])
  const made: Record<ExpressionType, () => string> = {
    text: () =>
      pick([
        () => `(${of('text')} + ${of('text')})`,
        () => `split(${of('text')}, ${of('text')}, ${of('number')})`,
        () => `replace(${of('text')}, ${of('text')}, ${of('text')})`,
        () => `substring(${of('text')}, ${of('number')}, ${of('number')})`,
        () => `join(${of('text')}, ${of('text')}, ${of('text')})`,
        () => `text(${of('date')})`,
        () => `coalesce(${of('text')}, ${of('text')}, 'x')`,
        () => `(${of('boolean')} ? ${of('text')} : ${of('text')})`,
      ])(),
    number: () =>
      pick([
        () => `(${of('number')} ${pick(['+', '-', '*', '/'])} ${of('number')})`,
        () => `(${of('date')} - ${of('date')})`,
        () => `length(${of('text')})`,
        () => `${pick(['year', 'month', 'day'])}(${of(pick(['date', 'datetime']))})`,
        () => `${pick(['days', 'hours', 'minutes'])}(${of('duration')})`,
        () => `${pick(['floor', 'ceil', 'round', 'abs'])}(${of('number')})`,
      ])(),
    boolean: () =>
      pick([
        () => `(${of('boolean')} ${pick(['&&', '||'])} ${of('boolean')})`,
        () => `(${of('date')} ${pick(['<', '<=', '>', '>=', '==', '!='])} ${of('date')})`,
        () => `(${of('number')} ${pick(['==', '!='])} ${of('number')})`,
        () => `(${of('text')} ${pick(['==', '!='])} ${of('text')})`,
        () => `!${of('boolean')}`,
      ])(),
    date: () =>
      pick([
        () => `(${of('date')} ${pick(['+', '-'])} ${of('number')})`,
        () => `addMonths(${of('date')}, ${of('number')})`,
        () => `date(${of('datetime')})`,
      ])(),
    datetime: () => `(${of('datetime')} ${pick(['+', '-'])} ${of('duration')})`,
    duration: () =>
      pick([
        () => `(${of('datetime')} - ${of('datetime')})`,
        () => `(${of('duration')} + ${of('duration')})`,
        () => `days(${of('number')})`,
      ])(),
  }
  return made[type]()
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const DAY = 86_400_000
const operand = (row: Row, name: string): ExpressionValue => {
  const value = row[name as keyof Row]
  if (value === null || typeof value !== 'string' || typeOf(name) === 'text') return value
  return typeOf(name) === 'date' ? Date.parse(value) / DAY : Date.parse(value)
}

const isSame = (a: unknown, b: unknown): boolean => {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
}

const { kernel } = withPeople(test, { recipe: recipeWith({}), role: 'web', alone: true })

test('expressions have the same value in memory and in PostgreSQL', async t => {
  const owner = await connectOwner(t, kernel.databaseUrl)
  const random = randomFrom(20_261_129)
  const types = Object.keys(SQL_TYPES) as ExpressionType[]
  const sources = [
    ...FIXED,
    ...Array.from({ length: 400 }, (_, at) => randomExpression(random, types[at % types.length] as ExpressionType)),
  ]
  const from = `jsonb_to_recordset('${JSON.stringify(ROWS).replaceAll("'", "''")}'::jsonb) as r (${Object.entries(
    COLUMNS,
  )
    .map(([name, type]) => `${name} ${SQL_TYPES[type]}`)
    .join(', ')})`
  for (const source of sources) {
    const expression = parseExpression(source)
    t.notThrows(() => expressionType(expression, typeOf), source)
    const sql = expressionSql(expression, column => ({ column, type: typeOf(column) }), `${NOW}::double precision`)
    const found = await owner
      .query<{ value: unknown }>(`select to_jsonb(${sql}) as value from ${from}`)
      .catch((error: Error) => {
        throw new Error(`${source}: ${error.message}\n${sql}`)
      })
    for (const [at, row] of ROWS.entries()) {
      const value = expressionValue(expression, { typeOf, valueOf: name => operand(row, name), now: () => NOW })
      const stored = found[at]?.value ?? null
      t.true(
        isSame(value, stored),
        `${source} of row ${at}: ${JSON.stringify(value)} in memory, ${JSON.stringify(stored)} in SQL`,
      )
    }
  }
})

test('every type of a stored value but JSON and IDs can be read', t => {
  t.deepEqual(new Set(Object.values(EXPRESSION_TYPES)), new Set(Object.values(COLUMNS)))
})
