/** Reads the files of a recipe: limited in size, regular files only, and only inside the recipe's folder. */
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { KIB, MIB } from './units.ts'

const MAX_FILE_BYTES = MIB
const MAX_TOTAL_BYTES = 4 * MIB
const MAX_FILES = 200

/** Thrown when a file can't be read. The message is for the author of the recipe. */
export class FileReadError extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

export interface ReadBudget {
  bytes: number
  files: number
}
export const createReadBudget = (): ReadBudget => ({ bytes: MAX_TOTAL_BYTES, files: MAX_FILES })

/** Returns the text with `\n` line endings and without a byte order mark. Throws a FileReadError. */
export function readText(file: string, budget: ReadBudget): string {
  const bytes = readBounded(file, budget)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n')
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new FileReadError('The file is not valid UTF-8', 'Save it as UTF-8')
  }
}

function readBounded(file: string, budget: ReadBudget): Buffer {
  const handle = open(file)
  try {
    const stat = fstatSync(handle)
    if (stat.isDirectory()) throw new FileReadError('The path is a folder', 'Name a file in it')
    if (!stat.isFile()) throw new FileReadError('The path is not a regular file')
    if (stat.size > MAX_FILE_BYTES)
      throw new FileReadError(
        `The file has ${Math.ceil(stat.size / KIB)} KiB; the limit is ${MAX_FILE_BYTES / KIB} KiB`,
        'Split it and include the parts',
      )
    budget.bytes -= stat.size
    budget.files -= 1
    if (budget.bytes < 0)
      throw new FileReadError(`The files of the recipe exceed ${MAX_TOTAL_BYTES / MIB} MiB in total`)
    if (budget.files < 0) throw new FileReadError(`The recipe has more than ${MAX_FILES} files`)
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
    throw new FileReadError(...describeFileError(error as NodeJS.ErrnoException))
  }
}

function describeFileError({ code, message }: NodeJS.ErrnoException): [string, string?] {
  if (code === 'ENOENT' || code === 'ENOTDIR') return ['File not found']
  if (code === 'EACCES' || code === 'EPERM') return ['Permission denied', 'Grant this user read access']
  if (code === 'ELOOP') return ['The symbolic link points to itself']
  if (code === 'ENAMETOOLONG') return ['The file name is too long']
  return [`Cannot read the file: ${message}`]
}

/** Resolves `name` relative to `folder`. Throws a FileReadError if the file is outside `rootDir`, symbolic links included. */
export function resolveInside(rootDir: string, folder: string, name: string): string {
  const file = resolve(folder, name)
  const outside = new FileReadError(`"${name}" is outside the folder of the recipe`, 'Move the file into that folder')
  if (name.includes('\0')) throw new FileReadError('A file name cannot contain a NUL character')
  if (!inside(rootDir, file) && !inside(rootDir, realFolder(dirname(file)))) throw outside
  if (existsSync(file) && !inside(rootDir, realpathSync(file))) throw outside
  return file
}

const inside = (rootDir: string, path: string): boolean =>
  path === rootDir || path.startsWith(rootDir.endsWith(sep) ? rootDir : rootDir + sep)

const realFolder = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder)

export const isPattern = (name: string): boolean => /[*?]/.test(name)

/** Files that match `pattern`, sorted; `*` and `?` are allowed in the file name only. Throws a FileReadError. */
export function expandPattern(folder: string, pattern: string): string[] {
  if (!isPattern(pattern)) return [pattern]
  const cut = pattern.lastIndexOf('/') + 1
  const parent = pattern.slice(0, cut)
  const last = pattern.slice(cut)
  if (isPattern(parent) || last.includes('**'))
    throw new FileReadError(
      `"${pattern}" has a wildcard in a folder name`,
      'Use wildcards in file names only: ./pages/*.yaml',
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
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new FileReadError(`Folder not found: ${parent || '.'}`)
    throw new FileReadError(...describeFileError(error as NodeJS.ErrnoException))
  }
}
