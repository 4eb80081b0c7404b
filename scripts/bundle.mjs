// What `larder` runs: the command line, the kernel and the modules as a few files in dist/larder, because Node spends
// half a second on finding and linking the many small ones. Tests and types use those.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, process.env.LARDER_DIST ?? 'dist')
const modules = join(dist, 'modules')
/** Packages of many small files that every command needs; the others are imported when they are needed. */
const INSIDE = new Set([
  '@opentelemetry/api',
  'ajv',
  'ajv-formats',
  'bintrees',
  'commander',
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-querystring',
  'fast-uri',
  'fastest-levenshtein',
  'find-my-way',
  'handlebars',
  'json-schema-traverse',
  'minimist',
  'neo-async',
  'prom-client',
  'ret',
  'safe-regex2',
  'source-map',
  'tdigest',
  'typebox',
  'wordwrap',
  'yaml',
])

// What an earlier build left bears other names.
rmSync(join(dist, 'larder'), { recursive: true, force: true })
const names = readdirSync(modules).filter(name => existsSync(join(modules, name, 'module.js')))
await build({
  entryPoints: {
    larder: join(dist, 'bin', 'larder.js'),
    contract: join(dist, 'kernel', 'contract.js'),
    testing: join(dist, 'kernel', 'testing.js'),
    ...Object.fromEntries(names.map(name => [`module-${name}`, join(modules, name, 'module.js')])),
  },
  outdir: join(dist, 'larder'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  define: { LARDER_BUNDLED: 'true' },
  // Packages in the form of CommonJS ask for Node's own by `require`.
  banner: {
    js: `import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);`,
  },
  logLevel: 'error',
  plugins: [{ name: 'larder', setup }],
})

function setup(esbuild) {
  esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
    if (kind === 'entry-point') return
    const name = path
      .split('/')
      .slice(0, path.startsWith('@') ? 2 : 1)
      .join('/')
    return INSIDE.has(name) ? undefined : { path, external: true }
  })
  // Migrations, templates and assets are found from where a file stood before.
  esbuild.onLoad({ filter: /\.js$/ }, ({ path }) => {
    const place = relative(dist, path)
    if (place.startsWith('..')) return
    const before = `new URL(${JSON.stringify(`../${place.split(sep).join('/')}`)}, import.meta.url).href`
    return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', before), loader: 'js' }
  })
}
