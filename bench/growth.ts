/**
 * Requests of one workspace, in a table that it shares with thousands of others, beside the same requests where it is
 * alone. BENCH_ROWS is the number of rows of the shared table.
 */
import { type BenchEnvironment, type LarderServer, register } from './fixtures.ts'
import { mapConcurrently, measureInTurns, perSecond, type Rate, type Row, send, type Target } from './measure.ts'

const ROWS = Number(process.env.BENCH_ROWS) || 10_000_000
/** Rows of each workspace. */
const OWN_ROWS = 1000
const WORDS = ['garden', 'harbor', 'lantern', 'meadow', 'orchard', 'pebble', 'quarry', 'ribbon', 'saddle', 'timber']

const REQUESTS: readonly { readonly what: string; readonly path: string }[] = [
  { what: 'list 20 rows, the newest first', path: '?limit=20' },
  { what: 'list 20 rows by a filter and an order', path: '?filter[status]=open&sort=number&limit=20' },
  { what: 'list 20 rows with the total', path: '?filter[status]=open&include=total&limit=20' },
  { what: 'search for a word of one row in ten', path: '?q=harbor&limit=20' },
  { what: 'search for a word of one row', path: '?q=unique77&limit=20' },
  { what: 'count by a field', path: '/aggregate?group=status' },
]

export async function growth(environment: BenchEnvironment): Promise<Row[]> {
  const [checkout] = environment.checkouts
  if (!checkout) throw new Error('expected a checkout')
  const alone = await environment.start(checkout, 'web', 'growth-alone.yaml')
  const shared = await environment.start(checkout, 'web', 'growth.yaml')
  try {
    const sides = [await fill('alone', alone), await fill('shared', shared)]
    const seconds = await copyToOthers(environment, shared.databaseUrl)
    console.error(`copied to ${ROWS} rows in ${seconds.toFixed(0)} s`)
    await environment.query(alone.databaseUrl, 'vacuum analyze')
    await environment.query(shared.databaseUrl, 'vacuum analyze')
    const rows: Row[] = []
    for (const { what, path } of REQUESTS)
      rows.push(rowOf(what, await measureInTurns(sides.map(side => ({ ...side, url: side.url + path })))))
    rows.push(rowOf('create a row', await measureInTurns(sides.map(creates))))
    return rows
  } finally {
    await Promise.all([alone.stop(), shared.stop()])
  }
}

let created = 0
const nextRow = () => {
  const number = created++
  return {
    title: `${WORDS[number % WORDS.length]} ${number} unique${number % OWN_ROWS}`,
    body: 'A paragraph about what happened, and what is to be done next. '.repeat(3),
    status: ['open', 'waiting', 'done'][number % 3],
    number,
  }
}

async function fill(name: string, { pid, ready }: LarderServer): Promise<Target> {
  const headers = await register(ready.url)
  created = 0
  await mapConcurrently(OWN_ROWS, () => send('POST', `${ready.url}/v1/data/notes`, nextRow(), headers), 8)
  return { name, pid, url: `${ready.url}/v1/data/notes`, headers }
}

const creates = (side: Target): Target => ({
  ...side,
  method: 'POST',
  headers: { ...side.headers, 'content-type': 'application/json' },
  nextBody: () => JSON.stringify(nextRow()),
})

/**
 * Copies the rows to workspaces that exist only as IDs, in batches, without triggers and foreign keys. IDs keep the
 * prefix and the order of those that Larder makes. Returns seconds.
 */
async function copyToOthers({ query }: BenchEnvironment, url: string): Promise<number> {
  const columns = await query(
    url,
    `select column_name as name from information_schema.columns where table_name = 'data_notes'
     and is_generated = 'NEVER' and is_identity = 'NO' order by ordinal_position`,
  )
  const names = columns.rows.map(({ name }) => `"${name}"`)
  const values = names.map(name => {
    if (name === '"tenant_id"') return `'ten_' || lpad(w::text, 26, '0')`
    if (name === '"id"') return `left(n.id, -10) || upper(lpad(to_hex(w), 6, '0')) || right(n.id, 4)`
    return `n.${name}`
  })
  const started = performance.now()
  const workspaces = Math.round(ROWS / OWN_ROWS)
  const batch = 100
  for (let from = 1; from < workspaces; from += batch)
    await query(
      url,
      `set session_replication_role = replica;
       insert into data_notes (${names.join(', ')}) select ${values.join(', ')}
         from (select * from data_notes where tenant_id not like 'ten_00000%') n,
           generate_series(${from}, ${Math.min(from + batch, workspaces) - 1}) w`,
    )
  return (performance.now() - started) / 1000
}

function rowOf(what: string, [alone, shared]: readonly Rate[]): Row {
  if (!alone || !shared) throw new Error('expected two sides')
  const one = ({ median, p99, cpuMs }: Rate) =>
    `${perSecond(median)}, p99 ${p99} ms, CPU of the web process ${cpuMs.toFixed(2)} ms`
  return {
    what,
    measured: `**${(shared.median / alone.median).toFixed(2)}** (${one(shared)})`,
    against: `alone in the table ${one(alone)}`,
    target: '≥ 0.5',
  }
}
