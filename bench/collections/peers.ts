/** Installs the peers of the comparison outside the repository. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './spawned.ts'

export type PeerName = 'parse-server' | 'directus' | 'manifest'
export interface InstalledPeer {
  /** Folder with `node_modules` of the peer. */
  readonly folder: string
  readonly version: string
}

/** One folder a peer: their dependencies conflict. */
const ROOT = process.env.LARDER_BENCH_PEERS || join(tmpdir(), 'larder-bench-peers')

/** npm selects the newest version that supports the running Node. Throws if it can't be installed. */
export async function installPeer(name: PeerName): Promise<InstalledPeer> {
  const folder = join(ROOT, name)
  const manifest = join(folder, 'node_modules', name, 'package.json')
  if (!existsSync(manifest)) {
    console.error(`installing ${name} in ${folder} …`)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "private": true }')
    const args = ['install', '--no-audit', '--no-fund', name]
    await runProgram({ command: 'npm', args, cwd: folder, env: { HOME: process.env.HOME ?? ROOT } })
  }
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  return { folder, version }
}
