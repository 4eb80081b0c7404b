/** Writes a repository in steps that an interrupted run can repeat. */
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../kernel/base/index.ts'
import { npm, reasonOf } from './npm.ts'
import { type Starter, writeRepository } from './starters.ts'

/** Exists while files are written: a run that finds it continues where the previous one was interrupted. */
const MARKER = '.larder-init'
const VENDOR = 'vendor'

export interface NewRepository {
  readonly folder: string
  readonly starter: Starter
  readonly name: string
  /** The path or URL of a package of Larder, or a version. Undefined: a copy of the running one. */
  readonly larder?: string
}

/** Throws if the folder has files that this command did not write. */
export async function assertEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new Error(`${folder} is a file. Name a new folder: larder init my-product`)
    throw denied(error, folder)
  })
  const files = entries.filter(name => name !== '.git')
  if (files.length === 0 || files.includes(MARKER)) return
  const shown = files.slice(0, 3).join(', ') + (files.length > 3 ? ', …' : '')
  throw new Error(`${folder} is not empty: it contains ${shown}. Name a new folder: larder init my-product`)
}

export async function createRepository({ folder, starter, name, larder }: NewRepository): Promise<void> {
  await assertEmpty(folder)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, MARKER), 'larder init was interrupted. Run it again to complete this folder.\n')
    await writeRepository({ folder, starter, name, larder: await dependency(folder, larder) })
    await rm(join(folder, MARKER))
  } catch (error) {
    throw denied(error, folder)
  }
}

/** Keeps a package that is a file within the repository, so that its lock file and its container can use it. */
async function dependency(folder: string, larder: string | undefined): Promise<string> {
  if (larder !== undefined && !existsSync(larder)) return larder
  const vendor = join(folder, VENDOR)
  await mkdir(vendor, { recursive: true })
  if (larder !== undefined) {
    await cp(larder, join(vendor, basename(larder)))
    return `file:${VENDOR}/${basename(larder)}`
  }
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', vendor]
  const { code, out, err } = await npm(pack, fileURLToPath(packageRoot))
  if (code !== 0) throw new Error(`npm could not pack Larder: ${reasonOf(err)}`)
  return `file:${VENDOR}/${out.trim()}`
}

/** Throws an error that says how to continue. */
export async function installPackages(folder: string, shown: string): Promise<void> {
  const { code, err } = await npm(['install', '--no-audit', '--no-fund'], folder)
  if (code === 0) return
  throw new Error(
    [
      `npm could not install the packages: ${reasonOf(err)}`,
      `The files of the repository are complete. When the registry can be reached, run: cd ${shown} && npm install`,
    ].join('\n'),
  )
}

function denied(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return error
  return new Error(`this user can't write to ${folder}. Choose another folder, or grant write access to it.`)
}
