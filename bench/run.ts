/**
 * `npm run bench [part …] [-- --against FOLDER]` measures and prints one table. Parts: start, requests, sign-in, relay, signaling.
 * `npm run bench -- collections [peer …]` compares collections with other products.
 * `npm run bench -- sizing` prints what each thing costs, for docs/sizing.md.
 * With `--against`, another built checkout is measured in the same run.
 */
import { parseArgs } from 'node:util'
import { PEER_NAMES } from './collections/peers.ts'
import { collections } from './collections/run.ts'
import { createEnvironment } from './fixtures.ts'
import { type Row, table } from './measure.ts'
import { relay } from './relay.ts'
import { requests } from './requests.ts'
import { signIn } from './sign-in.ts'
import { signaling } from './signaling.ts'
import { sizing } from './sizing.ts'
import { start } from './start.ts'

const parts = { start, requests, 'sign-in': signIn, relay, signaling }
type Part = keyof typeof parts

const { values, positionals } = parseArgs({ options: { against: { type: 'string' } }, allowPositionals: true })
const [first, ...rest] = positionals
const known: readonly string[] = first === 'collections' ? PEER_NAMES : first === 'sizing' ? [] : Object.keys(parts)
const unknown = (first === 'collections' || first === 'sizing' ? rest : positionals).filter(
  name => !known.includes(name),
)
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Choose from ${known.join(', ')}.`)
  process.exit(2)
}
const environment = await createEnvironment(values.against)
try {
  if (first === 'collections') console.log(await collections(environment, rest))
  else if (first === 'sizing') console.log(await sizing(environment))
  else console.log(table(await measureParts()))
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
