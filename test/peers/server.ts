/** A server of another project, in a folder of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../fixtures/wait.ts'

export interface PeerServer {
  close(): Promise<void>
}

export interface PeerOptions {
  readonly path: string
  /** Arguments, given the folder. */
  readonly args: (folder: string) => readonly string[] | Promise<readonly string[]>
  readonly env?: Readonly<Record<string, string>>
  /** False or an error while the server isn't ready. */
  readonly isReady: () => Promise<boolean>
  /** How many seconds it may take to be ready: a minute by default. */
  readonly seconds?: number
  /** What ends it: SIGKILL by default. A script ends its server only with a signal that it can pass on. */
  readonly signal?: NodeJS.Signals
}

/** @throws Error with the output of a server that ends or isn't ready in time. */
export async function startPeer(options: PeerOptions): Promise<PeerServer> {
  const { path, args, env, isReady, seconds = 60, signal = 'SIGKILL' } = options
  const folder = await mkdtemp(join(tmpdir(), 'larder-peer-'))
  const child = spawn(path, await args(folder), { cwd: folder, env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const close = async () => {
    if (!hasEnded()) {
      child.kill(signal)
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitFor(async () => hasEnded() || (await isReady().catch(() => false)), Boolean, seconds)
    if (hasEnded()) throw new Error('it ended')
    return { close }
  } catch (error) {
    await close()
    throw new Error(`${path} didn't start: ${(error as Error).message}\n${output}`)
  }
}
