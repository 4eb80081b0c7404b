/** Reads the files of a recipe: limited in size, regular files only, and only inside the recipe's folder. */
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { KIB, MIB } from './units.ts'

const MAX_FILE_BYTES = MIB
const MAX_TOTAL_BYTES = 4 * MIB
const MAX_FILES = 200

/** A file cannot be read. The message is a sentence for the author of the recipe. */
export class Unreadable extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

export interface Budget {
  bytes: number
  files: number
}
export const newBudget = (): Budget => ({ bytes: MAX_TOTAL_BYTES, files: MAX_FILES })

/** Returns the text with `\n` line endings and without a byte order mark. Throws Unreadable. */
export function readText(file: string, budget: Budget): string {
  const bytes = readBounded(file, budget)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n')
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Unreadable('the file is not UTF-8 text', 'save it as UTF-8')
  }
}

function readBounded(file: string, budget: Budget): Buffer {
  const handle = open(file)
  try {
    const stat = fstatSync(handle)
    if (stat.isDirectory()) throw new Unreadable('this is a folder, not a file', 'name the YAML file in it')
    if (!stat.isFile()) throw new Unreadable('this is not a plain file')
    if (stat.size > MAX_FILE_BYTES)
      throw new Unreadable(
        `the file has ${Math.ceil(stat.size / KIB)} KiB: a recipe file has at most ${MAX_FILE_BYTES / KIB} KiB`,
        'split it, and include the parts',
      )
    budget.bytes -= stat.size
    budget.files -= 1
    if (budget.bytes < 0)
      throw new Unreadable(`all files of a recipe have at most ${MAX_TOTAL_BYTES / MIB} MiB together`)
    if (budget.files < 0) throw new Unreadable(`a recipe has at most ${MAX_FILES} files`)
    const buffer = Buffer.alloc(stat.size)
    return buffer.subarray(0, readSync(handle, buffer, 0, stat.size, 0))
  } finally {
    closeSync(handle)
  }
}

function open(file: string): number {
  try {
    // Non-blocking: opening a named pipe without a writer would block forever.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    throw new Unreadable(...whyClosed(error as NodeJS.ErrnoException))
  }
}

function whyClosed({ code, message }: NodeJS.ErrnoException): [string, string?] {
  if (code === 'ENOENT' || code === 'ENOTDIR') return ['there is no such file']
  if (code === 'EACCES' || code === 'EPERM') return ['this user may not read the file', 'give it the right to']
  if (code === 'ELOOP') return ['this symbolic link leads round in a circle']
  if (code === 'ENAMETOOLONG') return ['this name is too long for a file']
  return [`the file cannot be read: ${message}`]
}

/** Resolves `name` relative to `folder`. Throws Unreadable if the file is outside `rootDir`, symbolic links included. */
export function resolveInside(rootDir: string, folder: string, name: string): string {
  const file = resolve(folder, name)
  const leaves = new Unreadable(
    `'${name}' leads out of the folder of the recipe`,
    'put the file beside the recipe, or below',
  )
  if (name.includes('\0')) throw new Unreadable('a file name has no NUL character')
  if (!inside(rootDir, file) && !inside(rootDir, realFolder(file))) throw leaves
  if (existsSync(file) && !inside(rootDir, realpathSync(file))) throw leaves
  return file
}

const inside = (rootDir: string, path: string): boolean =>
  path === rootDir || path.startsWith(rootDir.endsWith(sep) ? rootDir : rootDir + sep)

function realFolder(file: string): string {
  const folder = dirname(file)
  return existsSync(folder) ? realpathSync(folder) : folder
}

/** Files that match `pattern`, sorted; `*` and `?` are allowed in the file name only. Throws Unreadable. */
export function expand(folder: string, pattern: string): string[] {
  if (!/[*?]/.test(pattern)) return [pattern]
  const cut = pattern.lastIndexOf('/') + 1
  const parent = pattern.slice(0, cut)
  const last = pattern.slice(cut)
  if (/[*?]/.test(parent) || last.includes('**'))
    throw new Unreadable(
      `'${pattern}' has a wildcard in the name of a folder`,
      'write * in the name of the file alone: ./pages/*.yaml',
    )
  const matches = new RegExp(
    `^${last
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  )
  try {
    return readdirSync(resolve(folder, parent))
      .filter(name => !name.startsWith('.') && matches.test(name))
      .sort()
      .map(name => parent + name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Unreadable(`there is no folder ${parent || '.'}`)
    throw new Unreadable(...whyClosed(error as NodeJS.ErrnoException))
  }
}
