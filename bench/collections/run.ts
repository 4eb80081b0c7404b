/**
 * Larder's collections beside Parse Server, Directus and Manifest, on the same PostgreSQL server, and beside
 * `node:http` + `pg` with one statement for the same work. `npm run bench -- collections [name …]` selects peers.
 * Peers are installed in LARDER_BENCH_PEERS, or in a folder of the system's temporary folder.
 */
import autocannon from 'autocannon'
import { cpuSeconds } from '../cpu.ts'
import type { BenchEnvironment } from '../fixtures.ts'
import { measureInTurns, type Rate, type Target } from '../measure.ts'
import { PAGE_SIZE } from './courses.ts'
import { startDirectus } from './directus.ts'
import { startLarder } from './larder.ts'
import { startManifest } from './manifest.ts'
import { startParse } from './parse.ts'
import { installPeer, type PeerName } from './peers.ts'
import { startRaw } from './raw.ts'
import { OPERATIONS, type Operation, type Side, type SideOptions, verify } from './side.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS) || 5
const SECONDS = Number(process.env.BENCH_SECONDS) || 3
const CONNECTIONS = 16
/** Requests of each measurement of CPU time. */
const CPU_REQUESTS = 500
/** The least share of the raw server's rate. */
const TARGETS: Readonly<Record<Operation, number>> = { get: 0.7, list: 0.6, create: 0.6 }
const TIMES_BEST_PEER = 3

const PEERS: Readonly<Record<PeerName, (options: SideOptions) => Promise<Side>>> = {
  'parse-server': startParse,
  directus: startDirectus,
  manifest: startManifest,
}

/** Returns a Markdown table. */
export async function collections(environment: BenchEnvironment, names: readonly string[]): Promise<string> {
  const known = Object.keys(PEERS) as PeerName[]
  const selected = names.length === 0 ? known : known.filter(name => names.includes(name))
  const raw = await startRaw(environment)
  const larder = await attempt('Larder', async () =>
    startLarder(environment, await createDatabase(environment, 'larder')),
  )
  const sides = [larder, raw, ...(await inOrder(selected, name => attempt(name, () => startPeer(environment, name))))]
  const ready = sides.filter(side => side !== undefined)
  try {
    const rows = await inOrder(OPERATIONS, async operation => {
      console.error(`measuring ${operation} …`)
      const targets = ready.map(({ name, targets }) => ({ ...targets[operation], name }))
      const rates = await measureInTurns(targets, ROUNDS, SECONDS, CONNECTIONS)
      const cpu = await inOrder(ready, ({ pid, targets }) => cpuPerRequest(pid, targets[operation]))
      return rowOf(
        operation,
        rates.map((rate, index) => ({ ...rate, cpu: cpu[index] ?? Number.NaN })),
        larder?.name,
        raw.name,
      )
    })
    const head = ['', ...ready.map(({ name }) => name), 'Larder / raw', 'Larder / best peer']
    return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
  } finally {
    for (const side of ready) await side.stop()
  }
}

async function startPeer(environment: BenchEnvironment, name: PeerName): Promise<Side> {
  const { folder, version } = await installPeer(name)
  const databaseUrl = await createDatabase(environment, name.replaceAll('-', '_'))
  const side = await PEERS[name]({ environment, databaseUrl, folder })
  return { ...side, name: `${side.name} ${version}` }
}

/** Returns undefined, and prints why, if the side can't be started here. */
async function attempt(name: string, start: () => Promise<Side>): Promise<Side | undefined> {
  let side: Side | undefined
  try {
    side = await start()
    await verify(side, PAGE_SIZE)
    return side
  } catch (error) {
    await side?.stop()
    console.error(`skipped ${name}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

async function createDatabase({ larderUrl, query }: BenchEnvironment, name: string): Promise<string> {
  await query(larderUrl, `create database collections_${name}`)
  return Object.assign(new URL(larderUrl), { pathname: `/collections_${name}` }).href
}

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}

/** CPU time of the server in milliseconds, without the database. Doesn't depend on other load of the machine. */
async function cpuPerRequest(pid: number, { url, method = 'GET', headers, body }: Target): Promise<number> {
  const before = await cpuSeconds(pid)
  const options = { url, method, headers: { ...headers }, ...(body && { body }) }
  await autocannon({ ...options, amount: CPU_REQUESTS, connections: CONNECTIONS })
  return (((await cpuSeconds(pid)) - before) / CPU_REQUESTS) * 1000
}

type Measured = Rate & { readonly cpu: number }

/** The rates of one operation, and the ratios that the targets name. */
function rowOf(
  operation: Operation,
  sides: readonly Measured[],
  larderName: string | undefined,
  rawName: string,
): string[] {
  const larder = sides.find(({ name }) => name === larderName)
  const raw = sides.find(({ name }) => name === rawName) as Measured
  const peers = sides.filter(side => side !== larder && side !== raw)
  const best = peers.toSorted((a, b) => b.median - a.median)[0]
  const ratio = (other: Measured | undefined, target: number) =>
    larder && other
      ? `**${(larder.median / other.median).toFixed(2)}**, by CPU ${(other.cpu / larder.cpu).toFixed(2)} (target: ≥ ${target})`
      : '–'
  return [
    operation,
    ...sides.map(
      ({ median, cpu }) =>
        `${Math.round(median).toLocaleString('en')}/s (${(median / raw.median).toFixed(2)}), CPU ${cpu.toFixed(2)} ms`,
    ),
    ratio(raw, TARGETS[operation]),
    ratio(best, TIMES_BEST_PEER),
  ]
}
