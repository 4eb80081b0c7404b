/** A team's module with its own files as one script, made by esbuild: it strips types, and says which kernel is meant. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { BuildOptions, Loader, Message, Plugin } from 'esbuild'
import { fileHref, isShipped, resolveEntryPoint } from './shipped-modules.ts'

type Exports = Readonly<Record<string, unknown>>

/** The exports of the file `entry` (absolute). Throws an Error that says file, line and column where it is no script. */
export const importBundled = (entry: string): Promise<Exports> =>
  bundleAndImport(dirname(entry), { entryPoints: [entry] })

/** The default export of the npm package `name`, found as a file in `folder` would find it. */
export const importPackage = (name: string, folder: string): Promise<Exports> =>
  bundleAndImport(folder, {
    stdin: { contents: `export { default } from ${JSON.stringify(name)}`, resolveDir: folder, sourcefile: 'recipe' },
  })

async function bundleAndImport(folder: string, entry: BuildOptions): Promise<Exports> {
  const script = await bundle(folder, entry)
  const scratch = await mkdtemp(join(tmpdir(), 'larder-module-'))
  const file = join(scratch, 'module.mjs')
  try {
    await writeFile(file, script)
    // Stack traces name the lines that the team wrote: the script brings its map along.
    process.setSourceMapsEnabled(true)
    return await import(fileHref(file))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** esbuild works in a child process: it is let go when nobody builds any more. */
let building = 0

async function bundle(folder: string, entry: BuildOptions): Promise<string> {
  const esbuild = await import('esbuild')
  building++
  try {
    const { outputFiles } = await esbuild.build({
      ...entry,
      absWorkingDir: folder,
      outfile: join(folder, 'module.mjs'),
      write: false,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      sourceRoot: `${fileHref(folder)}/`,
      logLevel: 'silent',
      // What a tsconfig.json beside it says of paths and checks is no business of the loader.
      tsconfigRaw: '{}',
      conditions: [],
      define: Object.fromEntries(META.map(name => [`import.meta.${name}`, `__larder_meta.${name}`])),
      plugins: [others, places],
    })
    return outputFiles?.[0]?.text ?? ''
  } catch (error) {
    const [fault] = (error as { errors?: Message[] }).errors ?? []
    throw fault ? new Error(said(fault, folder), { cause: error }) : error
  } finally {
    building--
    if (building === 0) await esbuild.stop()
  }
}

function said({ text, location }: Message, folder: string): string {
  const lower = text.charAt(0).toLowerCase() + text.slice(1)
  if (!location || location.file === 'recipe') return lower
  return `${resolve(folder, location.file)}:${location.line}:${location.column + 1} ${lower}`
}

const LOOKED_UP = Symbol('looked up')

/** Packages stay outside, found from the file that imports them; `larder/…` is the kernel that runs. */
const others: Plugin = {
  name: 'larder packages',
  setup(build) {
    // A module that stands beside the kernel's own files may name them by their path: they are not to be copied.
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const href = fileHref(resolve(resolveDir, path))
      return isShipped(href) ? { path: href, external: true } : undefined
    })
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === LOOKED_UP || kind === 'entry-point' || basename(importer) === 'recipe') return undefined
      const own = resolveEntryPoint(path)
      if (own) return { path: own, external: true }
      if (path.startsWith('larder/'))
        return {
          errors: [{ text: `larder has no export '${path}': there are larder/kernel and larder/kernel/testing` }],
        }
      if (isBuiltin(path) || /^(file|data|node):/.test(path)) return { path, external: true }
      const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: LOOKED_UP })
      return found.errors.length > 0 ? { errors: found.errors } : { path: fileHref(found.path), external: true }
    })
  },
}

const META = ['url', 'filename', 'dirname']
const LOADERS: Readonly<Record<string, Loader>> = { '.ts': 'ts', '.mts': 'ts', '.js': 'js', '.mjs': 'js' }

/** `import.meta.url` goes on meaning the file that it stands in: migrations and templates are found by it. */
const places: Plugin = {
  name: 'larder places',
  setup(build) {
    build.onLoad({ filter: /\.m?[jt]s$/ }, async ({ path }) => {
      const meta = JSON.stringify({ url: fileHref(path), filename: path, dirname: dirname(path) })
      const text = (await readFile(path, 'utf8')).replace(/^#!.*/, '')
      // On the first line, so that every other line keeps its number.
      const contents = text.includes('import.meta') ? `const __larder_meta = ${meta};${text}` : text
      return { contents, loader: LOADERS[extname(path)] ?? 'js', resolveDir: dirname(path) }
    })
  },
}
