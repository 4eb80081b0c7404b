/**
 * Larder's collections beside other products, and beside `node:http` + `pg` with one statement for the same work.
 * Peers are installed in LARDER_PEERS, or in a folder of the system's temporary folder.
 */
import type { BenchEnvironment } from '../fixtures.ts'
import { measureInTurns, perSecond, type Rate } from '../measure.ts'
import { PAGE_SIZE } from './courses.ts'
import { startDirectus } from './directus.ts'
import { startLarder, startSchool } from './larder.ts'
import { startParse } from './parse.ts'
import { installPeer, PEER_NAMES, type PeerName } from './peers.ts'
import { startPocketBase } from './pocketbase.ts'
import { startRaw } from './raw.ts'
import {
  OPERATIONS,
  type Operation,
  SCHOOL_OPERATIONS,
  type Side,
  type SideOptions,
  schoolTargetOf,
  targetOf,
  verify,
  verifySchool,
} from './side.ts'

/** The least share of the raw server's rate. */
const TARGETS: Readonly<Record<Operation, number>> = { get: 0.6, list: 0.6, create: 0.5 }

const PEERS: Readonly<Record<PeerName, (options: SideOptions) => Promise<Side>>> = {
  pocketbase: startPocketBase,
  'parse-server': startParse,
  directus: startDirectus,
}

/** Returns a Markdown table. */
export async function collections(environment: BenchEnvironment, names: readonly string[]): Promise<string> {
  const sides: Side[] = []
  const add = async (name: string, start: () => Promise<Side>) => {
    const side = await attempt(name, start)
    if (side) sides.push(side)
  }
  try {
    sides.push(await startRaw(environment))
    for (const checkout of environment.checkouts) await add(checkout.name, () => startLarder(environment, checkout))
    for (const name of PEER_NAMES)
      if (names.length === 0 || names.includes(name)) await add(name, () => startPeer(environment, name))
    const head = ['', ...sides.map(({ name }) => name), 'Larder / raw', 'CPU of peer / Larder']
    const lines = [head, head.map(() => '---')]
    for (const operation of OPERATIONS) {
      console.error(`measuring ${operation} …`)
      lines.push(rowOf(operation, await measureInTurns(sides.map(side => targetOf(side, operation)))))
    }
    const school = await attempt('rules', () => startSchool(environment))
    if (school) sides.push(school)
    const withRules = school ? [school, ...sides.filter(side => side !== school && side.school)] : []
    return [...lines, ...(await schoolLines(withRules))]
      .map(cells => (cells ? `| ${cells.join(' | ')} |` : ''))
      .join('\n')
  } finally {
    for (const side of sides) await side.stop()
  }
}

/** Larder, the first one, beside the peers that have rules. */
async function schoolLines(sides: readonly Side[]): Promise<(readonly string[] | undefined)[]> {
  if (sides.length < 2) return []
  const head = ['', ...sides.map(({ name }) => name), 'Larder / best peer']
  const lines: (readonly string[] | undefined)[] = [undefined, head, head.map(() => '---')]
  for (const operation of SCHOOL_OPERATIONS) {
    console.error(`measuring ${operation} …`)
    const targets = sides.flatMap(side => schoolTargetOf(side, operation) ?? [])
    const [larder, ...peers] = await measureInTurns(targets)
    if (!larder) continue
    const cells = [larder, ...peers].map(({ median, cpuMs }) => `${perSecond(median)}, CPU ${cpuMs.toFixed(2)} ms`)
    const best = Math.max(...peers.map(({ median }) => median))
    lines.push([operation, ...cells, `**${(larder.median / best).toFixed(2)}** (target ≥ 1)`])
  }
  return [...lines, ...(await memoLines(sides[0]))]
}

/** Larder's rule with alternatives beside one without. */
async function memoLines(side: Side | undefined): Promise<(readonly string[] | undefined)[]> {
  if (!side?.school?.memos) return []
  console.error('measuring rules …')
  const { memos, headers } = side.school
  const [one, either] = await measureInTurns(
    Object.entries(memos).map(([name, url]) => ({ name, pid: side.pid, url, headers })),
  )
  if (!one || !either) return []
  const cells = [one, either].map(({ median, cpuMs }) => `${perSecond(median)}, CPU ${cpuMs.toFixed(2)} ms`)
  return [
    undefined,
    ['', 'one condition', 'two alternatives', 'Ratio'],
    ['---', '---', '---', '---'],
    ['list by a rule', ...cells, `**${(either.median / one.median).toFixed(2)}** (target ≥ 0.7)`],
  ]
}

async function startPeer(environment: BenchEnvironment, name: PeerName): Promise<Side> {
  const { folder, version } = await installPeer(name)
  const databaseUrl = await environment.createDatabase(`peer_${name.replaceAll('-', '_')}`)
  const side = await PEERS[name]({ environment, databaseUrl, folder })
  return { ...side, name: `${side.name} ${version}` }
}

/** Returns undefined, and prints why, if the side can't be started here. */
async function attempt(name: string, start: () => Promise<Side>): Promise<Side | undefined> {
  let side: Side | undefined
  try {
    side = await start()
    await verify(side, PAGE_SIZE)
    if (side.school) await verifySchool(side, PAGE_SIZE)
    return side
  } catch (error) {
    await side?.stop()
    console.error(`skipped ${name}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function rowOf(operation: Operation, rates: readonly Rate[]): string[] {
  const [raw, larder, ...peers] = rates
  if (!raw || !larder) throw new Error('expected two sides')
  return [
    operation,
    ...rates.map(({ median, cpuMs }) => `${perSecond(median)}, CPU ${cpuMs.toFixed(2)} ms`),
    `**${(larder.median / raw.median).toFixed(2)}** (target ≥ ${TARGETS[operation]})`,
    peers.map(({ name, cpuMs }) => `${name} ${(cpuMs / larder.cpuMs).toFixed(1)}`).join(', '),
  ]
}
