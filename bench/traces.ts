/** CPU of requests in a process without traces, and in one that records a share of 1%. Both have the same database. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type BenchEnvironment, register } from './fixtures.ts'
import { mapConcurrently, measureInTurns, type Row, send, type Target, WRITE_CONCURRENCY } from './measure.ts'

const RECIPE = 'growth-alone.yaml'
const ROWS = 200
const SHARE = '0.01'

const nextRow = () => ({ title: 'A note', body: 'What happened, and what is to be done next. '.repeat(3) })

export async function traces(environment: BenchEnvironment): Promise<Row[]> {
  const collector = createServer((request, response) => request.resume().on('end', () => response.end()))
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: SHARE,
  }
  const pairs = await Promise.all(
    environment.checkouts.map(async checkout => ({
      name: checkout.name,
      servers: [
        await environment.start(checkout, 'web', RECIPE),
        await environment.start(checkout, 'web', RECIPE, settings),
      ],
    })),
  )
  try {
    const lists: Target[] = []
    for (const { name, servers } of pairs) {
      const headers = await register(servers[0]?.ready.url ?? '')
      for (const { pid, ready } of servers) lists.push({ name, pid, url: `${ready.url}/v1/data/notes`, headers })
      const [{ url = '' } = {}] = lists.slice(-1)
      await mapConcurrently(ROWS, () => send('POST', url, nextRow(), headers), WRITE_CONCURRENCY)
    }
    const creates = lists.map(
      (list): Target => ({
        ...list,
        method: 'POST',
        headers: { ...list.headers, 'content-type': 'application/json' },
        nextBody: () => JSON.stringify(nextRow()),
      }),
    )
    return [
      ...(await compare(
        'list 10 rows',
        lists.map(list => ({ ...list, url: `${list.url}?limit=10` })),
      )),
      ...(await compare('create a row', creates)),
    ]
  } finally {
    await Promise.all(pairs.flatMap(({ servers }) => servers.map(server => server.stop())))
    collector.close()
  }
}

/** @param targets pairs of a process without traces and one with them. */
async function compare(what: string, targets: readonly Target[]): Promise<Row[]> {
  const rates = await measureInTurns(targets)
  const cpu = (milliseconds: number) => `CPU ${milliseconds.toFixed(3)} ms`
  return rates.flatMap((without, index): Row[] => {
    const traced = rates[index + 1]
    if (index % 2 === 1 || !traced) return []
    return [
      {
        what: `${what}, ${without.name}`,
        measured: `**${(traced.cpuMs / without.cpuMs).toFixed(2)}** (${cpu(traced.cpuMs)})`,
        against: `without traces ${cpu(without.cpuMs)}`,
        target: '≤ 1.03',
      },
    ]
  })
}
