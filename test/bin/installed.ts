/** A project that installed Larder from its package, with its dependencies and the optional packages that run. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
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

/** Packs Larder and unpacks it into `node_modules` of `project`. */
export async function installLarder(project: string): Promise<void> {
  const modules = join(project, 'node_modules')
  const larder = join(modules, packageName)
  await mkdir(larder, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], {
    cwd: root,
  })
  await run('tar', ['-xzf', join(project, stdout.trim()), '-C', larder, '--strip-components=1'])
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
