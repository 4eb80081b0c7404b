/** Processes of this machine, as far as /proc shows them. */
import { readdir, readFile, readlink } from 'node:fs/promises'

/** False also for a zombie: a process that has exited but was not reaped by its parent. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return (await processState(pid))?.state !== 'Z'
}

/** Undefined without /proc or without such a process. */
export async function processState(pid: number): Promise<{ name: string; state: string } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, name, state] = /^\d+ \((.*)\) (\w)/s.exec(stat) ?? []
  return name && state ? { name, state } : undefined
}

/** Undefined without /proc, and for processes of other users unless this one is root. */
export const workingFolder = (pid: number): Promise<string | undefined> =>
  readlink(`/proc/${pid}/cwd`).catch(() => undefined)

/**
 * Ids of the children of a PostgreSQL server that runs in this folder, dead or alive. Its own id is not included.
 * Undefined without /proc.
 */
export async function serverChildren(folder: string): Promise<readonly number[] | undefined> {
  const entries = await readdir('/proc').catch(() => undefined)
  if (!entries) return undefined
  const found = await Promise.all(
    entries.map(Number).map(async pid => {
      if (!(pid > 0) || (await workingFolder(pid)) !== folder) return []
      const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return title.startsWith('postgres:') ? [pid] : []
    }),
  )
  return found.flat()
}
