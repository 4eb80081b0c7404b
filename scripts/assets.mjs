// Copies files that tsc ignores (templates, styles, YAML) to dist/, and removes files without a source.
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { writeBundles } from './bundles.mjs'
import { removeUnreachedDeclarations } from './declarations.mjs'
import { writeIcons } from './icons.mjs'
import { writeReferenceScript } from './reference.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')

/** scripts/console.mjs builds these sources to `public/`, `types/` and `pure.js`. */
const APPLICATION = /[/\\]modules[/\\]console[/\\]app\b/
const APPLICATION_FILES = /[/\\]modules[/\\]console[/\\]((public|types)\b|pure\.js$)/

/** Converted to JSON, which a start reads at once. */
const TEXTS = /[/\\]modules[/\\]\w+[/\\]locales[/\\][\w-]+\.yaml$/

/** `larder client` copies these sources into the client that it generates. */
const CLIENT_SOURCE = /[/\\](bin[/\\]client[/\\]runtime[/\\][\w-]+|(modules|services)[/\\]\w+[/\\]client)\.ts$/

for (const top of ['bin', 'kernel', 'services', 'testing', 'modules', 'test', 'bench']) {
  const source = join(root, top)
  if (!existsSync(source)) continue
  cpSync(source, join(dist, top), {
    recursive: true,
    filter: path => !APPLICATION.test(path) && !TEXTS.test(path) && (!path.endsWith('.ts') || CLIENT_SOURCE.test(path)),
  })
}

const generated = new Set(writeReferenceScript(join(dist, 'services/http/documents/reference')))

/** WebAuthn for browsers, which pages with passkeys load. */
const webauthn = join(dist, 'modules/identity/sign-in/passkeys/pages/webauthn-browser.js')
cpSync(join(root, 'node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js'), webauthn)
generated.add(webauthn)

for (const script of await writeBundles(root)) generated.add(script)
for (const file of await writeIcons(join(dist, 'modules/content/domain'))) generated.add(file)

const modules = join(root, 'modules')
for (const name of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
  if (!TEXTS.test(join(modules, name))) continue
  const texts = join(dist, 'modules', name.replace(/\.yaml$/, '.json'))
  mkdirSync(dirname(texts), { recursive: true })
  writeFileSync(texts, JSON.stringify(parse(readFileSync(join(modules, name), 'utf8'))))
  generated.add(texts)
}

if (existsSync(dist))
  for (const name of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    // Names of states of builds begin with a dot.
    if (!name.isFile() || name.name.startsWith('.')) continue
    const built = join(name.parentPath, name.name)
    if (APPLICATION_FILES.test(built) || generated.has(built)) continue
    const source = join(root, relative(dist, built))
    const script = source.replace(/\.d\.ts$|\.js\.map$|\.js$/, '.ts')
    if (TEXTS.test(built) || (!existsSync(source) && !existsSync(script))) rmSync(built)
  }

// Adds the port types of all shipped services and modules to `@larder-dev/larder/kernel`. The sources of the kernel name none of them.
const PORTS = "export type {} from '../bin/ports.js';\n"
const declarations = join(dist, 'kernel/index.d.ts')
if (existsSync(declarations) && !readFileSync(declarations, 'utf8').includes(PORTS)) appendFileSync(declarations, PORTS)

// `npx larder` in this folder links to the file, and sets its mode only the first time.
const command = join(dist, 'bin/larder.js')
if (existsSync(command)) chmodSync(command, 0o755)

removeUnreachedDeclarations(root)
