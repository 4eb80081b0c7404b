/**
 * `npm run bench [part …] [-- --against FOLDER]` measures and prints one table. Parts: start, requests, sign-in, relay, signaling.
 * `npm run bench -- collections [peer …]` compares collections with other products.
 * `npm run bench -- sizing` prints what each thing costs, for docs/sizing.md, and `growth` compares one workspace alone
 * with one beside thousands of others.
 * `npm run bench -- traces` compares a process without traces with one that records 1% of them.
 * With `--against`, another built checkout is measured in the same run.
 */
import { parseArgs } from 'node:util'
import { PEER_NAMES } from './collections/peers.ts'
import { collections } from './collections/run.ts'
import { createEnvironment } from './fixtures.ts'
import { growth } from './growth.ts'
import { type Row, table } from './measure.ts'
import { relay } from './relay.ts'
import { requests } from './requests.ts'
import { signIn } from './sign-in.ts'
import { signaling } from './signaling.ts'
import { sizing } from './sizing.ts'
import { start } from './start.ts'
import { traces } from './traces.ts'

const parts = { start, requests, 'sign-in': signIn, relay, signaling }
type Part = keyof typeof parts
/** Reports of their own, which run only by name, each with the names that may follow it. */
const reports: Readonly<Record<string, { run(names: readonly string[]): Promise<string>; names: readonly string[] }>> =
  {
    collections: { run: names => collections(environment, names), names: PEER_NAMES },
    sizing: { run: () => sizing(environment), names: [] },
    growth: { run: async () => table(await growth(environment)), names: [] },
    traces: { run: async () => table(await traces(environment)), names: [] },
  }

const { values, positionals } = parseArgs({ options: { against: { type: 'string' } }, allowPositionals: true })
const [first = '', ...rest] = positionals
const report = Object.hasOwn(reports, first) ? reports[first] : undefined
const known: readonly string[] = report?.names ?? Object.keys(parts)
const unknown = (report ? rest : positionals).filter(name => !known.includes(name))
if (unknown.length > 0) {
  const choice = known.length > 0 ? `Choose from ${known.join(', ')}.` : `${first} takes no names.`
  console.error(`Unknown: ${unknown.join(', ')}. ${choice}`)
  process.exit(2)
}
const environment = await createEnvironment(values.against)
try {
  console.log(report ? await report.run(rest) : table(await measureParts()))
} finally {
  await environment.close()
}

async function measureParts(): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of positionals.length > 0 ? (positionals as Part[]) : (Object.keys(parts) as Part[])) {
    console.error(`measuring ${name} …`)
    rows.push(...(await parts[name](environment)))
  }
  return rows
}
