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
const stamp = join(outDir, 'build.sha256')
/** Smaller files fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024

const hash = hashOf(root, [
  ...['modules/console/app', 'kernel/base', 'bin/client/runtime', 'package-lock.json'],
  ...['scripts/console.mjs', 'scripts/console-texts.mjs'],
  ...germanFiles(root),
])
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) await build()

async function build() {
  // Loading Vite takes half a second, which unchanged sources save.
  const [{ build }, { default: react }, esbuild] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('esbuild'),
  ])
  rmSync(outDir, { recursive: true, force: true })
  await build({
    root: app,
    base: '/console/',
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    plugins: [moduleTexts(root), react()],
    resolve: { alias: { '@larder-dev/larder/console': join(app, 'public.ts') } },
    html: { cspNonce: '__NONCE__' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      manifest: 'manifest.json',
      rollupOptions: {
        input: [join(app, 'index.html'), join(app, 'shared.ts')],
        // Screens of modules import it by its names.
        preserveEntrySignatures: 'exports-only',
        // It only re-exports: a screen loads the parts that it uses.
        treeshake: { moduleSideEffects: id => !/\/console\/app\/(public|pure)\.ts$/.test(id) },
      },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1000,
    },
  })
  await compressAssets()
  // What the package exports in Node.
  await esbuild.build({
    entryPoints: [join(app, 'pure.ts')],
    outfile: join(root, 'dist/modules/console/pure.js'),
    bundle: true,
    format: 'esm',
  })
  emitTypes()
  mkdirSync(outDir, { recursive: true })
  writeFileSync(stamp, hash)
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
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(join(folder, `${name}.br`), await brotli(bytes, { params }))
    writeFileSync(join(folder, `${name}.gz`), await gzipped(bytes, { level: 9 }))
  }
  await Promise.all(
    readdirSync(folder)
      .filter(name => /\.(js|css|svg)$/.test(name))
      .map(compress),
  )
}
