/** Free space and inodes of the folders that the product writes to. */
import { existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DAY, formatSize, GIB } from '../../kernel/base/index.ts'
import type { Finding } from './finding.ts'

const WARN_SHARE = 0.1
const WARN_BYTES = 5 * GIB
const WARN_INODES = 0.05

export interface Space {
  readonly freeBytes: number
  readonly bytes: number
  /** Both 0 on file systems without a fixed number. */
  readonly freeInodes: number
  readonly inodes: number
}

/** @param folders by what they are for; those on one file system are one finding */
export async function disk(folders: Readonly<Record<string, string>>, minFreeBytes: number): Promise<Finding[]> {
  const disks = new Map<number, { uses: string[]; space: Space }>()
  for (const [use, folder] of Object.entries(folders)) {
    let nearest = folder
    while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
    const { dev } = await stat(nearest)
    const known = disks.get(dev)
    if (known) known.uses.push(`${use} (${folder})`)
    else disks.set(dev, { uses: [`${use} (${folder})`], space: await spaceOf(nearest) })
  }
  return [...disks.values()].flatMap(({ uses, space }) => judgeSpace(uses.join(', '), space, minFreeBytes))
}

async function spaceOf(folder: string): Promise<Space> {
  const { bavail, bsize, blocks, ffree, files } = await statfs(folder)
  return { freeBytes: bavail * bsize, bytes: blocks * bsize, freeInodes: ffree, inodes: files }
}

export function judgeSpace(
  uses: string,
  { freeBytes, bytes, freeInodes, inodes }: Space,
  minFreeBytes: number,
): Finding[] {
  const free = `${formatSize(freeBytes)} of ${formatSize(bytes)} are free for ${uses}`
  const more = 'Delete what is not needed, or enlarge the disk.'
  const findings: Finding[] = []
  if (freeBytes < minFreeBytes)
    findings.push({ state: 'fail', what: `${free}, fewer than MIN_FREE_DISK_MB: readiness fails`, fix: more })
  else if (freeBytes < Math.min(WARN_BYTES, bytes * WARN_SHARE)) findings.push({ state: 'warn', what: free, fix: more })
  if (inodes > 0 && freeInodes < inodes * WARN_INODES)
    findings.push({
      state: freeInodes === 0 ? 'fail' : 'warn',
      what: `${freeInodes} of ${inodes} inodes are free for ${uses}, and each file needs one`,
      fix: 'Delete small files, such as those of caches, or move the folder to a file system with more inodes.',
    })
  return findings.length > 0 ? findings : [{ state: 'ok', what: free }]
}

/** The newest archive of a folder, and whether another one fits. */
export async function archives(folder: string, now: number, maxDays: number): Promise<Finding[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.tar.gz'))
  const found = await Promise.all(names.map(async name => ({ name, ...(await stat(join(folder, name))) })))
  const [newest] = found.sort((a, b) => b.mtimeMs - a.mtimeMs)
  const fix = 'Run larder backup on a schedule: see docs/operations.md.'
  if (!newest) return [{ state: 'fail', what: `${folder} has no archive (*.tar.gz)`, fix }]
  const days = Math.floor((now - newest.mtimeMs) / DAY)
  const age: Finding = {
    state: days < maxDays ? 'ok' : 'warn',
    what: `${newest.name} is ${days} days old, ${formatSize(newest.size)}`,
  }
  const { freeBytes } = await spaceOf(folder)
  return [
    age.state === 'ok' ? age : { ...age, fix },
    ...(freeBytes < 2 * newest.size
      ? [
          {
            state: 'warn' as const,
            what: `${folder} has ${formatSize(freeBytes)} left: fewer than two archives`,
            fix: 'Keep fewer archives there, or enlarge the disk.',
          },
        ]
      : []),
  ]
}
