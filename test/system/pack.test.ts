/** The package that npm makes of a clone that nobody has built. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { CLEAN_ENV, temporaryFolder } from '../bin/command.ts'
import { packLarder } from '../bin/installed.ts'

const run = promisify(execFile)
const root = fileURLToPath(packageRoot)

interface Packed {
  /** Checksum of the archive. */
  readonly integrity: string
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

async function pack(folder: string, env: Readonly<Record<string, string>>): Promise<Packed> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], {
    cwd: folder,
    env: { ...CLEAN_ENV, ...env },
    maxBuffer: 2 ** 26,
  })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as Packed[]
  if (!packed) throw new Error('npm packed nothing')
  return packed
}

/** Copies the sources of this checkout into a new folder with this name, as git would clone them. */
async function clone(t: ExecutionContext, name: string): Promise<string> {
  const folder = join(await temporaryFolder(t), name)
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const path of stdout.split('\0').filter(path => path && existsSync(join(root, path))))
    await cp(join(root, path), join(folder, path))
  // Links to the same files where both folders are on one disk. A link to the folder would not be a repeatable build:
  // bundles name the paths of their sources.
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  await run('cp', ['-al', from, to]).catch(() => run('cp', ['-a', from, to]))
  return folder
}

test('npm pack builds a clone before it packs it, with the same bytes in every folder, time zone and language', async t => {
  t.timeout(600_000)
  const folder = await clone(t, 'another-name')
  t.false(existsSync(join(folder, 'dist')))
  const built = await pack(folder, { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' })
  const paths = new Set(built.files.map(({ path }) => path))
  for (const path of ['dist/bin/larder.js', 'dist/kernel/index.d.ts', 'dist/modules/console/public/index.html'])
    t.true(paths.has(path), path)
  t.false([...paths].some(path => path.startsWith('dist/test')))

  // The build of these tests, whose folder, time zone and language are others.
  const archive = await packLarder()
  const { stdout } = await run('tar', ['-tvzf', archive], { maxBuffer: 2 ** 26 })
  const own = stdout
    .trim()
    .split('\n')
    .map(line => line.split(/\s+/))
  const sizes = new Map(own.map(words => [words.at(-1)?.replace('package/', ''), Number(words[2])]))
  t.deepEqual(
    built.files.filter(({ path, size }) => sizes.get(path) !== size).map(({ path }) => path),
    [],
  )
  t.is(
    built.integrity,
    `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`,
  )
})
