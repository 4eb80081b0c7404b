/** Bundles a team's module with esbuild, which strips types and resolves the entry points of Larder to the running kernel. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Loader, Message, Plugin } from 'esbuild'
import { importOptional, packageName } from '../base/index.ts'
import { fileHref, isShipped, resolveEntryPoint } from './shipped-modules.ts'

type Exports = Readonly<Record<string, unknown>>

/** Returns the exports of the file `entry` (absolute). Throws an Error with file, line and column for invalid code. */
export const importBundled = (entry: string): Promise<Exports> =>
  bundleAndImport(dirname(entry), { entryPoints: [entry] })

/** Returns the default export of the npm package `name`, resolved from `folder`. */
export const importPackage = (name: string, folder: string): Promise<Exports> =>
  bundleAndImport(folder, {
    stdin: { contents: `export { default } from ${JSON.stringify(name)}`, resolveDir: folder, sourcefile: 'recipe' },
  })

/**
 * Bundles a file with everything that it imports into a script for browsers. Throws as `importBundled` does.
 * @param shared packages that the script imports from an address instead.
 */
export async function bundleScript(file: URL, shared: Readonly<Record<string, string>>): Promise<string> {
  const path = fileURLToPath(file)
  return build(dirname(path), {
    entryPoints: [path],
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'larder shared packages',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path: name }) =>
            shared[name] === undefined ? undefined : { path: shared[name], external: true },
          )
        },
      },
    ],
  })
}

async function bundleAndImport(folder: string, entry: BuildOptions): Promise<Exports> {
  const script = await bundle(folder, entry)
  const scratch = await mkdtemp(join(tmpdir(), 'larder-module-'))
  const file = join(scratch, 'module.mjs')
  try {
    await writeFile(file, script)
    // The script contains its source map, so stack traces show the team's lines.
    process.setSourceMapsEnabled(true)
    return await import(fileHref(file))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const sources = new Set<string>()

/** The absolute paths of all files that this process has bundled. */
export const bundledSources = (): readonly string[] => [...sources]

/** esbuild runs a child process, which is stopped after the last of these builds. */
let activeBuilds = 0

const bundle = (folder: string, entry: BuildOptions): Promise<string> =>
  build(folder, {
    ...entry,
    platform: 'node',
    target: 'node20',
    conditions: [],
    define: Object.fromEntries(META.map(name => [`import.meta.${name}`, `__larder_meta.${name}`])),
    plugins: [externalPackages, importMeta],
  })

async function build(folder: string, options: BuildOptions): Promise<string> {
  const esbuild = await importOptional('esbuild', () => import('esbuild'))
  activeBuilds++
  try {
    const { outputFiles, metafile } = await esbuild.build({
      ...options,
      absWorkingDir: folder,
      outfile: join(folder, 'module.mjs'),
      write: false,
      metafile: true,
      bundle: true,
      format: 'esm',
      sourcemap: 'inline',
      sourceRoot: `${fileHref(folder)}/`,
      logLevel: 'silent',
      // A tsconfig.json of the team must not change how modules are loaded.
      tsconfigRaw: '{}',
    })
    for (const path of Object.keys(metafile?.inputs ?? {})) if (path !== 'recipe') sources.add(resolve(folder, path))
    return outputFiles?.[0]?.text ?? ''
  } catch (error) {
    const [message] = (error as { errors?: Message[] }).errors ?? []
    throw message ? new Error(format(message, folder), { cause: error }) : error
  } finally {
    activeBuilds--
    if (activeBuilds === 0) await esbuild.stop()
  }
}

function format({ text, location }: Message, folder: string): string {
  const lower = text.charAt(0).toLowerCase() + text.slice(1)
  if (!location || location.file === 'recipe') return lower
  return `${resolve(folder, location.file)}:${location.line}:${location.column + 1} ${lower}`
}

const RESOLVING = Symbol('resolving')

/** Leaves packages out of the bundle, resolved from the importing file; those of Larder are the running kernel. */
const externalPackages: Plugin = {
  name: 'larder packages',
  setup(build) {
    // Shipped files that a module imports by path must not be duplicated.
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const href = fileHref(resolve(resolveDir, path))
      return isShipped(href) ? { path: href, external: true } : undefined
    })
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === RESOLVING || kind === 'entry-point' || basename(importer) === 'recipe') return undefined
      const own = resolveEntryPoint(path)
      if (own) return { path: own, external: true }
      if (path.startsWith('larder/') || path.startsWith(`${packageName}/`))
        return {
          errors: [
            {
              text: `larder has no entry point "${path}"; import ${packageName}/kernel, or see exports in its package.json`,
            },
          ],
        }
      if (isBuiltin(path) || /^(file|data|node):/.test(path)) return { path, external: true }
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: RESOLVING })
      return found.errors.length > 0 ? { errors: found.errors } : { path: fileHref(found.path), external: true }
    })
  },
}

const META = ['url', 'filename', 'dirname']
const LOADERS: Readonly<Record<string, Loader>> = { '.ts': 'ts', '.mts': 'ts', '.js': 'js', '.mjs': 'js' }

/** Keeps `import.meta.url` of each source file, because migrations and templates are resolved against it. */
const importMeta: Plugin = {
  name: 'larder import.meta',
  setup(build) {
    build.onLoad({ filter: /\.m?[jt]s$/ }, async ({ path }) => {
      const meta = JSON.stringify({ url: fileHref(path), filename: path, dirname: dirname(path) })
      const text = (await readFile(path, 'utf8')).replace(/^#!.*/, '')
      // On the first line, so that line numbers don't change.
      const contents = text.includes('import.meta') ? `const __larder_meta = ${meta};${text}` : text
      return { contents, loader: LOADERS[extname(path)] ?? 'js', resolveDir: dirname(path) }
    })
  },
}
