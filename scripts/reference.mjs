// Writes the browser script of the API reference to dist/, only compressed: it has 4 MB. Its package embeds the script as a string literal.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Higher levels save 10 % and take ten times as long. */
const LEVEL = 9
const EMBEDDED = /^var standalone_default = (?:"|'|`)/m
/** The languages that the start page offers without a menu. Scalar has no option for them. */
const LANGUAGES = [
  '`shell/curl`,`ruby/native`,`node/undici`,`php/guzzle`,`python/python3`',
  '`shell/curl`,`js/fetch`,`python/requests`,`go/native`',
]

/** Returns the files, which have no source in this repository. */
export function writeReferenceScript(folder) {
  const main = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  const bundle = readFileSync(main, 'utf8')
  const own = readFileSync(new URL(import.meta.url))
  const name = `scalar.${createHash('sha256').update(bundle).update(own).digest('hex').slice(0, 16)}.js`
  const files = [`${name}.br`, `${name}.gz`, 'scalar.LICENSE'].map(file => join(folder, file))
  const [brotli, gzip, license] = files
  if (files.every(file => existsSync(file))) return files
  mkdirSync(folder, { recursive: true })
  for (const old of readdirSync(folder)) if (old.startsWith('scalar.')) rmSync(join(folder, old))
  const bytes = Buffer.from(extract(bundle))
  const params = { [constants.BROTLI_PARAM_QUALITY]: LEVEL, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(brotli, brotliCompressSync(bytes, { params }))
  writeFileSync(gzip, gzipSync(bytes, { level: LEVEL }))
  copyFileSync(join(dirname(dirname(main)), 'LICENSE'), license)
  return files
}

function extract(bundle) {
  const start = EMBEDDED.exec(bundle)
  if (!start) throw outdated('the standalone script')
  const statement = bundle.slice(start.index, bundle.indexOf('\n//#endregion', start.index))
  const script = runInNewContext(`${statement}\nstandalone_default`)
  if (!script.includes(LANGUAGES[0])) throw outdated('the list of languages')
  return script.replace(...LANGUAGES).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
}

const outdated = part => new Error(`@scalar/fastify-api-reference has changed ${part}. Adapt scripts/reference.mjs.`)
