/** Repairs what a crash leaves behind, where PostgreSQL would refuse to start. */
import { randomBytes } from 'node:crypto'
import { link, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@larder-dev/larder/kernel'
import type { EmbeddedPaths } from './paths.ts'
import { isAlive, serverChildren } from './processes.ts'
import { isServing, pidFile, readPostmaster } from './server.ts'

/** A starting server creates the pid file and writes it right away. */
const PID_FILE_GRACE_MS = 2 * SECOND
const KILL_TIMEOUT_MS = 5 * SECOND
const POLL_INTERVAL_MS = 20

/** Takes the log of a failed start. Returns true if another start may succeed. */
export async function recoverFromFailedStart(paths: EmbeddedPaths, log: string): Promise<boolean> {
  if (/pre-existing shared memory block/.test(log)) return killOrphans(paths)
  // Another process took the port after it was chosen, perhaps just to see whether it is free.
  if (/Is another postmaster already running on port/.test(log)) return true
  if (!/lock file "postmaster.pid"/.test(log)) return false
  await removeStalePidFile(paths)
  return true
}

/**
 * PostgreSQL refuses to start if the file is incomplete or names any process, even a zombie or another program. Without
 * the file, it still finds out whether processes of the killed server use the data.
 */
async function removeStalePidFile(paths: EmbeddedPaths): Promise<void> {
  const file = pidFile(paths.home)
  const isComplete = (await readPostmaster(paths)) !== undefined
  const modified = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  if (!isComplete) await pause(Math.max(0, Math.min(PID_FILE_GRACE_MS, modified + PID_FILE_GRACE_MS - Date.now())))
  const stale = await readIfExists(file)
  const named = await readPostmaster(paths)
  if (stale === undefined || (named && (await isServing(paths, named)))) return
  // Another process may have removed the file meanwhile, and its server may have written its own.
  const moved = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  await rename(file, moved).catch(ignore('ENOENT'))
  if (![stale, undefined].includes(await readIfExists(moved))) await link(moved, file).catch(ignore('EEXIST'))
  await rm(moved, { force: true })
}

/** Processes that outlived their server keep its shared memory in use, for example while they are stopped. */
async function killOrphans(paths: EmbeddedPaths): Promise<boolean> {
  const server = await readPostmaster(paths)
  if (server && (await isAlive(server.pid))) return true
  const orphans = await serverChildren(await realpath(join(paths.home, 'data')))
  if (!orphans) return false
  for (const pid of orphans) kill(pid)
  for (const deadline = Date.now() + KILL_TIMEOUT_MS; Date.now() < deadline; await pause(POLL_INTERVAL_MS)) {
    const alive = await Promise.all(orphans.map(isAlive))
    if (!alive.includes(true)) break
  }
  // Without orphans, another process has killed them since the log was written.
  return true
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const readIfExists = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(ignore('ENOENT'))

/** Returns a handler that resolves with undefined for errors with the code. */
const ignore =
  (code: string) =>
  (error: unknown): undefined => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error
  }
