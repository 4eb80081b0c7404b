// Builds modules/console/app to dist/modules/console/public, if its sources, the files of the kernel and of the client that
// it may import, German texts or the lock file changed since the last build.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { germanFiles, moduleTexts } from './console-texts.mjs'
import { removeUnreachedDeclarations } from './declarations.mjs'
import { hashOf } from './sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const app = join(root, 'modules/console/app')
const outDir = join(root, 'dist/modules/console/public')
const types = join(root, 'dist/modules/console/types')
/** Becomes a part of the document. */
const START_STYLE = 'styles/start.css'
const pure = join(root, 'dist/modules/console/pure.js')
const stamp = join(outDir, 'build.sha256')
/** Smaller files fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024

const hash = hashOf(root, [
  ...['modules/console/app', 'kernel/base', 'bin/client/runtime', 'package-lock.json'],
  ...['scripts/console.mjs', 'scripts/console-texts.mjs'],
  ...germanFiles(root),
])
if (!existsSync(stamp) || !existsSync(pure) || readFileSync(stamp, 'utf8') !== hash) await build()

async function build() {
  // Loading Vite takes half a second, which unchanged sources save.
  const [{ build }, { default: react }, esbuild] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('esbuild'),
  ])
  rmSync(outDir, { recursive: true, force: true })
  const run = options =>
    build({
      root: app,
      base: '/console/',
      configFile: false,
      envDir: false,
      logLevel: 'warn',
      plugins: [moduleTexts(root), react(), documentParts(esbuild)],
      resolve: { alias: { '@larder-dev/larder/console': join(app, 'public.ts') } },
      html: { cspNonce: '__NONCE__' },
      build: {
        outDir,
        target: 'es2022',
        assetsInlineLimit: 0,
        reportCompressedSize: false,
        chunkSizeWarningLimit: 1000,
        ...options,
        rollupOptions: {
          input: ['index.html', 'shared.ts', START_STYLE].map(path => join(app, path)),
          // Screens of modules import it by its names.
          preserveEntrySignatures: 'allow-extension',
          // It only re-exports: a screen loads the parts that it uses.
          treeshake: { moduleSideEffects: id => !/\/console\/app\/(public|pure)\.ts$/.test(id) },
          ...options.rollupOptions,
        },
      },
    })
  // Once to learn which modules each screen needs, and once with few files for those that open first.
  const { output } = await run({ write: false, minify: false })
  await run({
    emptyOutDir: true,
    manifest: 'manifest.json',
    rollupOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: groupsOf(output) } } },
  })
  await compressAssets()
  // What the package exports in Node.
  await esbuild.build({
    entryPoints: [join(app, 'pure.ts')],
    outfile: pure,
    bundle: true,
    format: 'esm',
  })
  emitTypes()
  mkdirSync(outDir, { recursive: true })
  writeFileSync(stamp, hash)
}

/**
 * Files for what every screen needs, by how often it changes, for what both the home screen, with its chart, and the
 * screens of resources need, for menus, which the shell loads after its first screen, and for the other parts of the
 * screens of resources. Each has all that its modules import, so that no two files import each other. Without them, the
 * home screen loads 65 files, and a list 40 more.
 */
function groupsOf(output) {
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map(chunk => [chunk.fileName, chunk]))
  const of = end => [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(end))
  const reached = (name, found = new Set()) => {
    const chunk = chunks.get(name)
    if (!chunk || found.has(name)) return found
    found.add(name)
    for (const each of chunk.imports) reached(each, found)
    return found
  }
  const modulesOf = end =>
    new Set([...reached(of(end).fileName)].flatMap(name => Object.keys(chunks.get(name).modules)))
  const [start, home, chart, menu, resources] = [
    '/index.html',
    '/shell/Home.tsx',
    '/components/ChartPlot.tsx',
    '/components/Menu.tsx',
    '/shell/resource-routes.tsx',
  ].map(modulesOf)
  const isEntry = id => /\/(index\.html|main\.tsx|shared\.ts)$/.test(id)
  const isPackage = id => id.includes('/node_modules/') || !id.startsWith('/')
  return [
    ['react', id => start.has(id) && /\/node_modules\/(react|react-dom|scheduler)\//.test(id)],
    ['vendor', id => start.has(id) && isPackage(id)],
    ['start', id => start.has(id) && !isEntry(id)],
    ['records', id => (home.has(id) || chart.has(id)) && resources.has(id)],
    ['menu', id => menu.has(id)],
    ['resources', id => resources.has(id)],
  ].map(([name, test], index, { length }) => ({ name, test, priority: length - index }))
}

/**
 * A plugin of Vite. Writes into the document what comes before the first paint: `styles/start.css` and `early.ts`. The
 * style sheets follow what is painted first, and the scripts wait for them.
 */
function documentParts(esbuild) {
  return {
    name: 'larder document',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const script = await esbuild.build({
          entryPoints: [join(app, 'early.ts')],
          bundle: true,
          minify: true,
          write: false,
          target: 'es2022',
        })
        // Vite writes it for the browsers of the other style sheets.
        const style = Object.values(bundle).find(({ originalFileNames }) => originalFileNames?.includes(START_STYLE))
        delete bundle[style.fileName]
        const sheets = html.match(/^ *<link rel="stylesheet".*\n/gm) ?? []
        return (
          sheets
            .reduce((text, sheet) => text.replace(sheet, ''), html)
            // A script of the document runs in a task of its own, and one that it imports in the same task.
            .replace(
              /( *<script type="module"[^>]*><\/script>\n)((?: *<link rel="modulepreload".*\n)+)/,
              (_, script, links) =>
                links.replace(/<link rel="modulepreload"(.*) href=(.*)>/g, '<script type="module"$1 src=$2></script>') +
                script,
            )
            .replace('    <!--SCREEN-->\n', `${sheets.join('')}    <!--SCREEN-->\n`)
            .replace('<!--EARLY-->', () => `<style nonce="__NONCE__">${String(style.source).trim()}</style>`)
            .replace(
              '<!--HEAD-->',
              () => `<!--HEAD-->\n    <script nonce="__NONCE__">${script.outputFiles[0].text.trim()}</script>`,
            )
        )
      },
    },
  }
}

/** The types of `@larder-dev/larder/console`. */
function emitTypes() {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', root, '--outDir', types]
  rmSync(types, { recursive: true, force: true })
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', app, ...options], {
    stdio: 'inherit',
  })
  removeStyles()
  removeUnreachedDeclarations(root)
}

/** Declarations name the style sheets of their components, which the types don't contain. */
function removeStyles() {
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(types, name)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^import ['"][^'"]+\.css['"];?\n/gm, ''))
  }
}

async function compressAssets() {
  const folder = join(outDir, 'assets')
  const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)]
  const compress = async name => {
    const bytes = readFileSync(join(folder, name))
    if (bytes.length < MIN_COMPRESSED_BYTES) return
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(join(folder, `${name}.br`), await brotli(bytes, { params }))
    writeFileSync(join(folder, `${name}.gz`), await gzipped(bytes, { level: 9 }))
  }
  await Promise.all(
    readdirSync(folder)
      .filter(name => /\.(js|css|svg)$/.test(name))
      .map(compress),
  )
}
