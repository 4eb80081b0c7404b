// typebox is 370 small files, a fifth of a second to import. The build makes one of them, and its own files use that one.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, process.env.LARDER_DIST ?? 'dist')
const bundle = join(dist, 'vendor', 'typebox.js')

await build({
  stdin: { contents: "export * from 'typebox'", resolveDir: root },
  outfile: bundle,
  bundle: true,
  format: 'esm',
  target: 'node20',
  logLevel: 'error',
})
for (const entry of readdirSync(join(dist, 'kernel'), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith('.js')) continue
  const file = join(entry.parentPath, entry.name)
  const text = readFileSync(file, 'utf8')
  const link = relative(entry.parentPath, bundle).replace(/^(?!\.)/, './')
  const linked = text.replace(/from 'typebox'/g, `from '${link}'`)
  if (linked !== text) writeFileSync(file, linked)
}
