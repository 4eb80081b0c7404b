/** Builds and runs images without a container engine: in Debian roots made by debootstrap. Needs root and Linux. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, rename, stat, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { DAY } from '../../kernel/base/units.ts'
import { type Instruction, parseCommand, parseEnv, type Stage } from './dockerfile.ts'

const run = promisify(execFile)
/** The npm of the base image. */
const NPM = 'npm@11.6.2'
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Test files share what the bases of images contain: installing it takes 20 seconds of a processor. */
const CACHE = fileURLToPath(new URL('node_modules/.cache/larder-images', packageRoot))
const CERTIFICATES = '/etc/ssl/extra-certificates.crt'

type Env = Readonly<Record<string, string>>

export interface Image {
  readonly root: string
  /** A copy of the volume of the image. */
  readonly data: string
  readonly env: Env
  readonly user: string
  readonly workdir: string
  readonly entrypoint: readonly string[]
  readonly healthcheck: readonly string[]
}

/** Runs the instructions of all stages in order. The images after FROM must be one image of Node.js on Debian. */
export async function buildImage(stages: readonly Stage[], context: string, folder: string): Promise<Image> {
  const [base = ''] = new Set(stages.map(stage => stage.base))
  const debian = join(folder, 'debian')
  await createBase(base, debian)
  const roots = new Map<string, string>()
  let image: Image | undefined
  for (const [index, stage] of stages.entries()) {
    if (stage.base !== base) throw new Error(`${stage.base} is not ${base}`)
    const root = join(folder, `stage-${index}`)
    await run('cp', ['-a', debian, root])
    if (stage.name) roots.set(stage.name, root)
    image = await runStage(stage, { root, context, roots })
  }
  if (!image) throw new Error('The Dockerfile has no stage.')
  await run('cp', ['-a', join(image.root, 'data'), image.data])
  return image
}

/** In memory, because dpkg calls fsync for each file. */
const DEBIAN_SCRIPT = `set -e
suite=$1 memory=$2 root=$3
mkdir "$memory/debian"
mount -t tmpfs tmpfs "$memory/debian"
debootstrap --variant=minbase "$suite" "$memory/debian"
cp -a "$memory/debian" "$root"`

/** The contents of `node:VERSION-SUITE-slim`: a minimal Debian, Node.js, npm and the user `node`. */
async function createBase(name: string, root: string): Promise<void> {
  const archive = join(CACHE, `${name.replace(':', '-')}.tar`)
  if (await isRecent(archive)) {
    await mkdir(root)
    await run('tar', ['-xpf', archive, '--numeric-owner', '-C', root])
  } else {
    await installBase(name, root)
    await mkdir(CACHE, { recursive: true })
    await run('tar', ['-cf', `${archive}.${process.pid}`, '--numeric-owner', '-C', root, '.'])
    await rename(`${archive}.${process.pid}`, archive)
  }
  await cp('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'), { dereference: true })
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates) await cp(certificates, join(root, CERTIFICATES), { dereference: true })
}

/** Debian's updates of a later day belong to the image, too. */
async function isRecent(file: string): Promise<boolean> {
  const { mtimeMs = 0 } = await stat(file).catch(() => ({ mtimeMs: 0 }))
  return Date.now() - mtimeMs < DAY
}

async function installBase(name: string, root: string): Promise<void> {
  const [, version, suite] = /^node:([\d.]+)-(\w+)-slim$/.exec(name) ?? []
  if (!version || !suite) throw new Error(`${name} is not a pinned slim image of Node.js`)
  const packages = join(root, '..', 'packages')
  await mkdir(packages)
  const download = run('npm', ['pack', '--silent', `node-linux-${process.arch}@${version}`, NPM], { cwd: packages })
  const debian = run('unshare', ['--mount', 'sh', '-c', DEBIAN_SCRIPT, 'sh', suite, packages, root])
  const [{ stdout }] = await Promise.all([download, debian])
  const [node = '', npm = ''] = stdout.trim().split('\n')
  const local = join(root, 'usr', 'local')
  const npmFolder = join(local, 'lib', 'node_modules', 'npm')
  await mkdir(npmFolder, { recursive: true })
  await run('tar', ['-xzf', join(packages, npm), '-C', npmFolder, '--strip-components=1'])
  await run('tar', ['-xzf', join(packages, node), '-C', local, '--strip-components=1', 'package/bin/node'])
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'))
  await run('chroot', [root, 'useradd', '--create-home', '--uid', '1000', 'node'])
}

interface Build {
  readonly root: string
  readonly context: string
  /** The folders of the named stages before this one. */
  readonly roots: ReadonlyMap<string, string>
}

async function runStage({ instructions }: Stage, build: Build): Promise<Image> {
  const { root } = build
  let image: Image = {
    root,
    data: `${root}-data`,
    env: { PATH },
    user: 'root',
    workdir: '/',
    entrypoint: [],
    healthcheck: [],
  }
  for (const { name, value } of instructions) {
    if (name === 'RUN') await runInBuild(image, value)
    else if (name === 'COPY') await copy(value, image.workdir, build)
    else if (name === 'WORKDIR') await mkdir(join(root, value), { recursive: true })
    image = { ...image, ...changedSettings({ name, value }, image) }
  }
  return image
}

function changedSettings({ name, value }: Instruction, { env }: Image): Partial<Image> {
  if (name === 'ENV') return { env: { ...env, ...parseEnv(value) } }
  if (name === 'USER') return { user: value }
  if (name === 'WORKDIR') return { workdir: value }
  if (name === 'ENTRYPOINT') return { entrypoint: parseCommand(value) }
  if (name === 'HEALTHCHECK') return { healthcheck: parseCommand(value) }
  return {}
}

const commandLine = (env: Env, workdir: string, command: readonly string[]) => [
  'env',
  '-i',
  `--chdir=${workdir}`,
  ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ...command,
]

const BUILD_SCRIPT = `set -e
root=$1 cache=$2; shift 2
mkdir -p "$root/var/cache/npm"
mount --bind "$cache" "$root/var/cache/npm"
mount -t proc proc "$root/proc"
exec chroot "$root" "$@"`

async function runInBuild({ root, env, workdir }: Image, command: string): Promise<void> {
  const { stdout } = await run('npm', ['config', 'get', 'cache'])
  const buildEnv = {
    ...env,
    npm_config_cache: '/var/cache/npm',
    ...(process.env.NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS: CERTIFICATES } : {}),
  }
  const line = commandLine(buildEnv, workdir, ['sh', '-c', command])
  await run('unshare', [...NAMESPACES, 'sh', '-c', BUILD_SCRIPT, 'sh', root, stdout.trim(), ...line])
}

async function copy(value: string, workdir: string, { root, context, roots }: Build): Promise<void> {
  const words = value.split(/\s+/)
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1]
  const paths = from ? words.slice(1) : words
  const target = join(root, resolve(workdir, paths.at(-1) ?? ''))
  await mkdir(target, { recursive: true })
  for (const path of paths.slice(0, -1)) {
    if (from) {
      const source = join(roots.get(from) ?? '', path)
      const folder = (await stat(source)).isDirectory()
      await run('cp', ['-a', '--link', folder ? `${source}/.` : source, target])
    } else await copyContext(context, path, target)
  }
}

const COPY_SCRIPT = 'source=$1 target=$2; shift 2; tar -c --owner=0 --group=0 -C "$source" "$@" | tar -x -C "$target"'

async function copyContext(context: string, path: string, target: string): Promise<void> {
  const lines = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n').filter(Boolean)
  const excluded = lines.map(line => `--exclude=./${line}`)
  await run('sh', [
    '-c',
    COPY_SCRIPT,
    'sh',
    context,
    target,
    '--anchored',
    ...excluded,
    path === '.' ? path : `./${path}`,
  ])
}

const NAMESPACES = ['--mount', '--pid', '--fork']

const RUN_SCRIPT = `set -e
root=$1 data=$2 user=$3; shift 3
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user:$user" "$root" "$@"`

const containerArguments = (image: Image, command: readonly string[], env: Env) => [
  ...NAMESPACES,
  'sh',
  '-c',
  RUN_SCRIPT,
  'sh',
  image.root,
  image.data,
  image.user,
  ...commandLine({ ...image.env, ...env }, image.workdir, command),
]

/** Runs a command as the image's user on a read-only root, with /data and /tmp writable. */
export const runInContainer = (image: Image, command: readonly string[], env: Env = {}) =>
  run('unshare', containerArguments(image, command, env))

export interface Container {
  readonly child: ChildProcess
  readonly output: () => string
}

export function startContainer(
  t: Pick<ExecutionContext, 'teardown'>,
  image: Image,
  command: readonly string[],
  env: Env,
): Container {
  const child = spawn('unshare', containerArguments(image, [...image.entrypoint, ...command], env), {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      output += text
    })
  // Not 'close': a process that left the group may hold the output open.
  const ended = once(child, 'exit')
  t.teardown(async () => {
    // The process group, because the kernel drops --kill-child when chroot changes the user.
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended
  })
  return { child, output: () => output }
}
