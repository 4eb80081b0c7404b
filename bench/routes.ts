/**
 * `npm run bench -- routes` measures every endpoint of the running product. Options: `--only <pattern>`, `--counts`
 * (statements and round trips only), `--trace` (with their texts).
 */
import { parseArgs } from 'node:util'
import type { BenchEnvironment } from './fixtures.ts'
import { countRoute, countsTable, type RouteCounts, trace } from './routes/counts.ts'
import { startRoutes } from './routes/environment.ts'

/** Returns the printed report. */
export async function routes(environment: BenchEnvironment, args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      counts: { type: 'boolean', default: false },
      trace: { type: 'boolean', default: false },
    },
  })
  const started = await startRoutes(environment)
  try {
    const wanted = new RegExp(values.only ?? '')
    const all: RouteCounts[] = []
    const failures: string[] = []
    for (const route of started.routes.filter(({ key, module }) => wanted.test(`${module} ${key}`)))
      await countRoute(started, route).then(
        counts => all.push(counts),
        error => failures.push(String(error)),
      )
    if (failures.length > 0) throw new Error(`${failures.length} requests failed:\n${failures.join('\n')}`)
    return [countsTable(all), ...(values.trace ? all.map(trace) : [])].join('\n\n')
  } finally {
    await started.close()
  }
}
