/**
 * Programs of other projects, which the ordinary clients of Go, Python, npm and Maven get and keep outside the
 * repository: in LARDER_PEERS, or in a folder below the temporary one. The first build takes minutes.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const PROGRAMS_FOLDER = process.env.LARDER_PEERS ?? join(tmpdir(), 'larder-peers')

export interface GoProgram {
  /** `github.com/owner/name` */
  readonly module: string
  readonly version: string
  /** The folder of the program in its module. */
  readonly folder: string
  /** Adds files to a copy of the module that `go install` doesn't have. */
  prepare?(source: string): Promise<void>
}
/** A program in a folder of this repository. */
export interface OwnGoProgram {
  readonly name: string
  /** The path of `main.go`. */
  readonly file: URL
  /** `module@version` of each module that it imports. */
  readonly modules: readonly string[]
}
export interface PythonProgram {
  /** Name in the Python Package Index; also of the program, if it has one. */
  readonly name: string
  readonly version: string
}
export interface MavenProgram {
  /** `group:artifact` of a zip file in Maven Central. */
  readonly artifact: string
  readonly version: string
  /** The path of the program in the zip file. */
  readonly program: string
  /** Arguments of the program that prepare its folder, once. */
  readonly prepare: readonly string[]
  /** Debian's packages that it needs. */
  readonly packages: readonly string[]
}
/** Builds a program. Returns its path. Throws if it can't be had. */
export async function goProgram(program: GoProgram): Promise<string> {
  const { module, version } = program
  const path = join(PROGRAMS_FOLDER, 'bin', `${module.replaceAll('/', '_')}@${version}`)
  try {
    await access(path)
    return path
  } catch {
    // Not built yet.
  }
  try {
    await build(program, path)
    return path
  } catch (error) {
    throw new Error(`could not get ${module}@${version} with Go: ${(error as Error).message.slice(-500)}`, {
      cause: error,
    })
  }
}

/** Builds a program of this repository. Returns its path. Throws if its modules can't be had. */
export async function ownGoProgram({ name, file, modules }: OwnGoProgram): Promise<string> {
  const source = await readFile(file, 'utf8')
  const version = createHash('sha256').update(modules.join()).update(source).digest('hex').slice(0, 16)
  const path = join(PROGRAMS_FOLDER, 'bin', `${name}@${version}`)
  try {
    await access(path)
    return path
  } catch {
    // Not built yet.
  }
  try {
    await withGo(path, async (work, go) => {
      await writeFile(join(work, 'main.go'), source)
      await go(['mod', 'init', name])
      await go(['get', ...modules])
      await go(['build', '-o', join(work, 'program'), '.'])
    })
    return path
  } catch (error) {
    throw new Error(`could not build ${name} with Go: ${(error as Error).message.slice(-500)}`, { cause: error })
  }
}

/** Installs packages of npm into a folder, and returns it. Throws if they can't be had. */
export async function npmPackages(packages: readonly string[]): Promise<string> {
  const path = join(PROGRAMS_FOLDER, 'npm', packages.join('+').replaceAll('/', '_'))
  try {
    await access(join(path, 'package-lock.json'))
    return path
  } catch {
    // Not installed yet.
  }
  try {
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'package.json'), JSON.stringify({ type: 'module', private: true }))
    await run('npm', ['install', '--silent', ...packages], { cwd: path })
    return path
  } catch (error) {
    throw new Error(`could not get ${packages.join(' ')} with npm: ${(error as Error).message.slice(-500)}`, {
      cause: error,
    })
  }
}

/** Installs a program into a virtual environment. Returns its path. Throws if it can't be had. */
export async function pythonProgram(wanted: PythonProgram): Promise<string> {
  return join(await pythonEnvironment(wanted), wanted.name)
}

/** Installs a package into a virtual environment. Returns the folder of its programs. Throws if it can't be had. */
export async function pythonEnvironment({ name, version }: PythonProgram): Promise<string> {
  const folder = join(PROGRAMS_FOLDER, 'python', `${name}@${version}`)
  const path = join(folder, 'bin')
  const installed = join(folder, 'installed')
  try {
    await access(installed)
    return path
  } catch {
    // Not installed yet.
  }
  try {
    await run('python3', ['-m', 'venv', folder])
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `${name}==${version}`])
    await writeFile(installed, '')
    return path
  } catch (error) {
    throw new Error(`could not get ${name}@${version} with Python: ${(error as Error).message.slice(-500)}`, {
      cause: error,
    })
  }
}

/** Copies libraries from Maven Central, with those that they need, into a folder, and returns it. Throws if they can't be had. */
export async function mavenLibraries(libraries: readonly string[]): Promise<string> {
  const folder = join(PROGRAMS_FOLDER, 'maven', libraries.join('+').replaceAll(':', '_'))
  const path = join(folder, 'lib')
  try {
    await access(path)
    return path
  } catch {
    // Not copied yet.
  }
  const dependencies = libraries.map(library => {
    const [groupId, artifactId, version] = library.split(':')
    return `<dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version></dependency>`
  })
  const project = `<modelVersion>4.0.0</modelVersion><groupId>peers</groupId><artifactId>peers</artifactId><version>1</version>`
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(
      join(folder, 'pom.xml'),
      `<project>${project}<dependencies>${dependencies.join('')}</dependencies></project>`,
    )
    const options = [`-Dmaven.repo.local=${join(folder, 'repository')}`, '-DoutputDirectory=copied']
    await run('mvn', ['--batch-mode', '--quiet', 'dependency:copy-dependencies', ...options], { cwd: folder })
    await rm(join(folder, 'repository'), { recursive: true, force: true })
    await rename(join(folder, 'copied'), path)
    return path
  } catch (error) {
    throw new Error(
      `could not get ${libraries.join(' ')} with Maven: ${(error as Error).message.slice(-500)}. It needs Debian's packages maven and openjdk-17-jdk-headless.`,
      { cause: error },
    )
  }
}

const MAVEN_UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack'

/** Unpacks a program and prepares it. Returns its path. Throws if it can't be had. */
export async function mavenProgram(wanted: MavenProgram): Promise<string> {
  const { artifact, version, program, prepare, packages } = wanted
  const parent = join(PROGRAMS_FOLDER, 'maven')
  const folder = join(parent, `${artifact.replaceAll(':', '_')}@${version}`)
  const path = join(folder, program)
  try {
    await access(path)
    return path
  } catch {
    // Not installed yet.
  }
  await mkdir(parent, { recursive: true })
  const work = await mkdtemp(join(parent, 'unpack-'))
  try {
    const files = join(work, 'files')
    const options = [
      // Without a repository of its own, Maven would keep the zip file in the home folder, too.
      `-Dmaven.repo.local=${join(work, 'repository')}`,
      `-Dartifact=${artifact}:${version}:zip`,
      `-DoutputDirectory=${files}`,
    ]
    // The plugin writes a marker into the folder in which it runs.
    await run('mvn', ['--batch-mode', '--quiet', MAVEN_UNPACK, ...options], { cwd: work })
    await run(join(files, program), prepare, { maxBuffer: 1e8 })
    await rename(files, folder)
    return path
  } catch (error) {
    throw new Error(
      `could not get ${artifact} ${version} with Maven: ${(error as Error).message.slice(-500)}. It needs Debian's packages ${packages.join(' and ')}.`,
      { cause: error },
    )
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

type Go = (args: readonly string[], cwd?: string) => Promise<{ stdout: string }>

/** Moves the file `program` that `make` writes into a temporary folder to `path`. */
async function withGo(path: string, make: (work: string, go: Go) => Promise<void>): Promise<void> {
  await mkdir(join(PROGRAMS_FOLDER, 'bin'), { recursive: true })
  const work = await mkdtemp(join(PROGRAMS_FOLDER, 'build-'))
  const env = {
    ...process.env,
    GOPATH: join(PROGRAMS_FOLDER, 'go'),
    GOFLAGS: '-modcacherw -buildvcs=false -mod=mod',
    CGO_ENABLED: '0',
  }
  try {
    await make(work, (args, cwd = work) => run('go', args, { cwd, env, maxBuffer: 1e8 }))
    await rename(join(work, 'program'), path)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const build = ({ module, version, folder, prepare }: GoProgram, path: string): Promise<void> =>
  withGo(path, async (work, go) => {
    const { stdout } = await go(['mod', 'download', '-json', `${module}@${version}`])
    const source = join(work, 'source')
    await cp((JSON.parse(stdout) as { Dir: string }).Dir, source, { recursive: true })
    await makeWritable(source)
    await prepare?.(source)
    await go(['build', '-o', join(work, 'program'), folder], source)
  })

/** Files of the module cache are read-only. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

export const PROGRAMS = {
  /** Speaks MongoDB's protocol, and stores in SQLite. */
  ferretdb: {
    module: 'github.com/FerretDB/FerretDB',
    version: 'v1.24.2',
    folder: './cmd/ferretdb',
    // Its releases have this file, its module doesn't.
    prepare: source => writeFile(join(source, 'build/version/version.txt'), 'v1.24.2\n'),
  },
  /** Renders charts of Kubernetes. */
  helm: { module: 'helm.sh/helm/v3', version: 'v3.22.0', folder: './cmd/helm' },
  /** An issuer of OpenID Connect. */
  hydra: {
    module: 'github.com/ory/hydra/v2',
    version: 'v2.3.0',
    folder: '.',
    // Its module leaves out this folder, whose content is a module of its own.
    async prepare(source) {
      const file = join(source, 'go.mod')
      const modules = await readFile(file, 'utf8')
      await writeFile(file, modules.replace(/^replace github\.com\/ory\/hydra-client-go\/v2 .*$/m, ''))
    },
  },
  /** Stores traces, with an API. */
  jaeger: { module: 'github.com/jaegertracing/jaeger', version: 'v1.76.0', folder: './cmd/jaeger' },
  /** A media server. */
  mediamtx: {
    module: 'github.com/bluenviron/mediamtx',
    version: 'v1.20.1',
    folder: '.',
    // `go generate` writes these files. Only MediaMTX's own player page needs the second.
    async prepare(source) {
      await writeFile(join(source, 'internal/core/VERSION'), 'v1.20.1')
      await writeFile(join(source, 'internal/servers/hls/hls.min.js'), '')
    },
  },
  /** A mail server that keeps what it gets, with an API. */
  mailpit: { module: 'github.com/axllent/mailpit', version: 'v1.33.1', folder: '.' },
  /** Generates Go clients from an API document. */
  oapiCodegen: { module: 'github.com/oapi-codegen/oapi-codegen/v2', version: 'v2.8.2', folder: './cmd/oapi-codegen' },
  /** An S3 server that verifies signatures, and stores in a folder. */
  versitygw: { module: 'github.com/versity/versitygw', version: 'v1.8.0', folder: './cmd/versitygw' },
} satisfies Record<string, GoProgram>

export const PYTHON_PROGRAMS = {
  /** Evaluates flags by the OpenFeature Remote Evaluation Protocol. */
  ofrep: { name: 'openfeature-provider-ofrep', version: '0.3.0' },
  /** Generates Python clients from an API document. */
  clientGenerator: { name: 'openapi-python-client', version: '0.29.1' },
  /** Generates requests from an API document, and compares the responses with it. */
  schemathesis: { name: 'schemathesis', version: '4.32.5' },
} satisfies Record<string, PythonProgram>

export const MAVEN_PROGRAMS = {
  /** An identity provider with OpenID Connect and SAML. */
  keycloak: {
    artifact: 'org.keycloak:keycloak-quarkus-dist',
    version: '26.7.3',
    program: 'keycloak-26.7.3/bin/kc.sh',
    // With its embedded database, in memory.
    prepare: ['build', '--db=dev-mem'],
    packages: ['maven', 'openjdk-17-jre-headless'],
  },
} satisfies Record<string, MavenProgram>
