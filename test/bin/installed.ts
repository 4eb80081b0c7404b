/** A project that installed Larder from its package, with its dependencies and the optional packages that run. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packageName, packageRoot } from '../../kernel/base/package-root.ts'

const run = promisify(execFile)
const root = fileURLToPath(packageRoot)

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Without the patterns of `files` in package.json. */
const PACKED = [
  'package.json',
  'README.md',
  'dist',
  'bin',
  'kernel',
  'services',
  'testing',
  'modules',
  'deploy',
  'docs',
].concat(['recipes', 'starters', 'themes', 'examples'])
const CACHE = join(root, 'node_modules/.cache/larder-packed')

/**
 * Packs this build, and returns the path of the archive. npm takes 12 seconds of a processor for it, so test files share the
 * archive while no file of the package changes.
 */
export async function packLarder(): Promise<string> {
  const archive = join(CACHE, `${await stateOf(PACKED)}.tgz`)
  if (existsSync(archive)) return archive
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'new-'))
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: root,
  })
  // Another process may have packed meanwhile, and unpacks what this would delete.
  await rename(join(folder, stdout.trim()), archive)
  await rm(folder, { recursive: true })
  const old = (await readdir(CACHE)).filter(name => name.endsWith('.tgz') && !archive.endsWith(name))
  await Promise.all(old.map(name => rm(join(CACHE, name), { force: true })))
  return archive
}

/** Changes with the size or the time of any of these files. */
async function stateOf(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) {
    const below = (await stat(join(root, path))).isDirectory()
      ? (await readdir(join(root, path), { recursive: true })).sort().map(name => join(path, name))
      : [path]
    const stats = await Promise.all(below.map(name => stat(join(root, name))))
    for (const [at, { mtimeMs, size }] of stats.entries()) hash.update(`${below[at]} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Unpacks Larder into `node_modules` of `project`. */
export async function installLarder(project: string): Promise<void> {
  const modules = join(project, 'node_modules')
  const larder = join(modules, packageName)
  await mkdir(larder, { recursive: true })
  await run('tar', ['-xzf', await packLarder(), '-C', larder, '--strip-components=1'])
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
  const names = Object.keys({ ...dependencies, ...peerDependencies }).filter(name => name !== '@types/express')
  for (const name of [...names, '@types/node']) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
}

/** Compiles `project` with its own tsconfig.json. Returns the output of the compiler, which is empty on success. */
export async function compile(project: string): Promise<string> {
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['-p', project, '--pretty', 'false']).catch((failed: { stdout: string }) => failed)
  return stdout
}
