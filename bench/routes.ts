/**
 * `npm run bench -- routes` measures every endpoint of the running product and prints a table, worst ratio first.
 * - `--only <pattern>`: a regular expression that is matched against `<module> <METHOD> <path>`
 * - `--seconds <n>`: of load per route; 1 by default
 * - `--counts`: only statements, round trips and rows
 * - `--trace`: with `--counts`, the text of each statement
 * - `--write`: replaces the results of these routes in docs/benchmarks.md
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { BenchEnvironment } from './fixtures.ts'
import { child } from './measure.ts'
import { countRoute, countsTable, type RouteCounts, trace } from './routes/counts.ts'
import { type RouteEnvironment, startRoutes } from './routes/environment.ts'
import { measureRoute, type RouteResult } from './routes/load.ts'
import { createRawTable } from './routes/raw.ts'
import { report, writeResults } from './routes/report.ts'
import { excessRoundTrips } from './routes/round-trips.ts'

/** Returns the printed report. Throws if a request fails. */
export async function routes(environment: BenchEnvironment, args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      seconds: { type: 'string', default: '1' },
      counts: { type: 'boolean', default: false },
      trace: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const started = await startRoutes(environment)
  try {
    const counts = await countRoutes(started, new RegExp(values.only ?? ''))
    await started.stopCounting()
    const excess = excessRoundTrips(counts)
    if (excess.length > 0 && !values.trace) throw new Error(`${excess.length} routes are slower:\n${excess.join('\n')}`)
    if (values.counts) return [countsTable(counts), ...(values.trace ? counts.map(trace) : [])].join('\n\n')
    const { results, failures } = await measureRoutes(started, counts, Number(values.seconds))
    const text = report(results)
    if (values.write) await writeResults(results, key => started.routes.some(route => route.key === key))
    // The other routes took minutes: they are reported anyway.
    if (failures.length > 0) console.log(text)
    throwIfAny(failures)
    return text
  } finally {
    await started.close()
  }
}

/** Background work of the server may add round trips, so a route that needs too many is counted again. */
async function countRoutes(environment: RouteEnvironment, wanted: RegExp): Promise<readonly RouteCounts[]> {
  const selected = environment.routes.filter(({ key, module }) => wanted.test(`${module} ${key}`))
  const { results, failures } = await collect(selected, async route => {
    const counts = await countRoute(environment, route)
    return excessRoundTrips([counts]).length === 0 ? counts : countRoute(environment, route)
  })
  throwIfAny(failures)
  return results
}

async function measureRoutes(
  environment: RouteEnvironment,
  counts: readonly RouteCounts[],
  seconds: number,
): Promise<Collected<RouteResult>> {
  await createRawTable(environment.world)
  const raw = await child<{ port: number }>('./routes/raw-server.js', [environment.databaseUrl])
  try {
    for (const { process } of [raw, environment.server]) useOneCore(process.pid)
    const rawServer = { url: `http://127.0.0.1:${raw.ready.port}`, pid: raw.process.pid as number }
    return await collect(counts, route =>
      measureRoute(environment, rawServer, route, seconds).catch(error => {
        throw new Error(`${route.route.key}: ${error}`)
      }),
    )
  } finally {
    await raw.stop()
  }
}

interface Collected<Result> {
  readonly results: readonly Result[]
  readonly failures: readonly string[]
}

/** Runs `work` for all items, one after the other. */
async function collect<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Collected<Result>> {
  const results: Result[] = []
  const failures: string[] = []
  for (const item of items)
    await work(item).then(
      result => results.push(result),
      error => failures.push(String(error)),
    )
  return { results, failures }
}

function throwIfAny(failures: readonly string[]): void {
  if (failures.length > 0) throw new Error(`${failures.length} routes failed:\n${failures.join('\n')}`)
}

/** Restricts all threads of a process to the first core, where `taskset` exists. */
function useOneCore(pid: number | undefined): void {
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(pid)], { stdio: 'ignore' })
}
