// Builds modules/console/app to dist/modules/console/public, if its sources, the files of the kernel that it may import or
// the lock file changed since the last build.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { hashOf } from './sources.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const app = join(root, 'modules/console/app')
const outDir = join(root, 'dist/modules/console/public')
const stamp = join(outDir, 'build.sha256')
/** Smaller files fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024

const hash = hashOf(root, ['modules/console/app', 'kernel/base', 'scripts/console.mjs', 'package-lock.json'])
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) await build()

async function build() {
  // Loading Vite takes half a second, which unchanged sources save.
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  rmSync(outDir, { recursive: true, force: true })
  await build({
    root: app,
    base: '/console/',
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    plugins: [react()],
    html: { cspNonce: '__NONCE__' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      manifest: 'manifest.json',
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1000,
    },
  })
  await compressAssets()
  mkdirSync(outDir, { recursive: true })
  writeFileSync(stamp, hash)
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
