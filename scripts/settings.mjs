/**
 * Writes the settings that services and modules declare into the files of `deploy` and the examples of `.env`, with the
 * version of the package. `--check` only compares. Needs a build.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const read = path => readFileSync(new URL(path, root), 'utf8')
const { settingSpecs } = await import(new URL('dist/bin/composition.js', root))
const { version } = JSON.parse(read('package.json'))

/** Settings that a way to deploy sets itself, with the reason, which its files say. */
const IMAGE = {
  PORT: 'the image sets 8080',
  HOST: 'the image sets 0.0.0.0',
  LARDER_DATA: 'the image sets /data, the volume',
  NODE_ENV: 'the image sets production',
}
const LEFT_OUT = {
  helm: {
    ...IMAGE,
    LARDER_RECIPE: 'see `recipe`',
    METRICS_PORT: 'see `metricsPort`',
  },
  systemd: {
    PORT: 'the name of the unit, as in larder-web@8080',
    LARDER_DATA: 'the units set /var/lib/larder',
    METRICS_PORT: 'the name of the unit, as in larder-worker@9464',
    NODE_ENV: 'the units set production',
  },
  compose: {
    ...IMAGE,
    DATABASE_URL: 'compose.yaml sets it, with POSTGRES_PASSWORD',
    METRICS_PORT: 'compose.yaml sets 9464',
  },
}

LEFT_OUT.checkout = { ...LEFT_OUT.compose, BUS: 'compose.yaml sets redis', REDIS_URL: 'compose.yaml sets it' }

/** What each variable accepts, found by reading it: `read` of a spec calls the reader for each. */
const shapes = new Map()
const set = (name, shape) => {
  shapes.set(name, shape)
  return undefined
}
const recorder = {
  // Some variables are read as texts first, to find out whether they are set.
  text: () => '1',
  secrets: () => [],
  integer(name, standard, max) {
    set(name, { type: 'integer', minimum: 0, maximum: max })
    return standard
  },
  oneOf(name, values, standard) {
    set(name, { type: 'string', enum: [...values] })
    return standard
  },
  // An empty variable is an unset one.
  url: (name, schemes) => set(name, { type: 'string', pattern: `^(?:${schemes.join('|')})://|^$` }),
  fail: () => {},
}
for (const spec of settingSpecs) spec.read(recorder)

const settings = settingSpecs.flatMap(({ variables }) => variables)
const shapeOf = name => shapes.get(name) ?? { type: 'string' }
/** A text that begins with a value of the setting keeps its small letter. */
const capitalized = ({ name, about }) =>
  shapeOf(name).enum?.some(value => about.startsWith(value)) ? about : `${about[0].toUpperCase()}${about.slice(1)}`
const sentence = each => {
  const notes = [each.process && `${each.process} only`, each.default && `default ${each.default}`].filter(Boolean)
  return `${capitalized(each)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}
const given = (kind, isWanted) => settings.filter(each => !(each.name in LEFT_OUT[kind]) && isWanted(each))

for (const [kind, reasons] of Object.entries(LEFT_OUT))
  for (const name of Object.keys(reasons))
    if (!settings.some(each => each.name === name))
      throw new Error(`No service or module declares ${name}, which scripts/settings.mjs leaves out of ${kind}.`)

/** Lines of comments, with at most 120 characters. */
const wrap = (text, indentation = '') => {
  const lines = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && indentation.length + 3 + line.length + word.length <= 120)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.map(line => `${indentation}# ${line}\n`).join('')
}

const leftOut = (kind, indentation = '') =>
  [`Not here:`, ...Object.entries(LEFT_OUT[kind]).map(([name, reason]) => `  ${name}: ${reason}`)]
    .map(line => `${indentation}# ${line}\n`)
    .join('')

/** Replaces what is between two lines of comments. */
function between(text, name, content) {
  const pattern = new RegExp(`^( *)# begin of ${name}\\n[\\s\\S]*?^ *# end of ${name}\\n`, 'm')
  if (!pattern.test(text)) throw new Error(`no lines '# begin of ${name}' and '# end of ${name}'`)
  return text.replace(
    pattern,
    (_, indentation) => `${indentation}# begin of ${name}\n${content(indentation)}${indentation}# end of ${name}\n`,
  )
}

/** `on` and `off` are booleans of YAML 1.1, which Helm reads. */
const example = ({ name, default: standard }) => {
  const { type, enum: values } = shapeOf(name)
  if (type === 'integer') return /^\d+/.exec(standard)?.[0] ?? '1'
  const value = values?.includes(standard) ? standard : ''
  return /^(?:on|off|true|false|yes|no)$|^$/.test(value) ? `"${value}"` : value
}

function helmValues(text) {
  const plain = given('helm', ({ secret, name }) => !secret && name !== 'PUBLIC_URL')
  const secrets = given('helm', ({ secret }) => secret)
  const withSecrets = between(text, 'secret settings', indentation =>
    secrets
      .map(each => wrap(`${each.name}: ${sentence(each)}`, `${indentation}#  `).replaceAll('#  #', '#  '))
      .join(''),
  )
  return between(
    withSecrets,
    'settings',
    indentation =>
      plain
        .map(each => `${wrap(sentence(each), indentation)}${indentation}# ${each.name}: ${example(each)}\n`)
        .join('') + leftOut('helm', indentation),
  )
}

/** As Biome formats it, with short objects in one line. */
function json(value, indentation = '', used = 0) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indentation}  `
  const isArray = Array.isArray(value)
  const [open, close, space] = isArray ? ['[', ']', ''] : ['{', '}', ' ']
  const entries = Object.entries(value).map(([key, each]) => [isArray ? '' : `${JSON.stringify(key)}: `, each])
  if (entries.length === 0) return `${open}${close}`
  const line = `${open}${space}${entries.map(([key, each]) => `${key}${json(each, '', -Infinity)}`).join(', ')}${space}${close}`
  if (indentation.length + used + line.length + 1 <= 120) return line
  const lines = entries.map(([key, each]) => `${inner}${key}${json(each, inner, key.length)}`)
  return `${open}\n${lines.join(',\n')}\n${indentation}${close}`
}

function helmSchema(text) {
  const schema = JSON.parse(text)
  const plain = given('helm', ({ secret }) => !secret)
  schema.properties.settings.properties = Object.fromEntries(
    plain.map(each => [each.name, { description: sentence(each), ...shapeOf(each.name) }]),
  )
  schema.properties.variables.propertyNames.not.enum = settings.map(({ name }) => name)
  return `${json(schema)}\n`
}

const environment = (kind, skipped = []) =>
  given(kind, ({ name }) => !skipped.includes(name))
    .map(each => `${wrap(sentence(each))}#${each.name}=\n`)
    .join('') + leftOut(kind)

/** Everything after a line is written by this script; what is before has other variables. */
function environmentFile(kind) {
  return text => {
    const [own, line] = /^[\s\S]*?(\n# Other settings[^\n]*\n)/.exec(text) ?? []
    if (line === undefined) throw new Error("no line '# Other settings …'")
    const skipped = [...own.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
    return own + environment(kind, skipped)
  }
}

const chart = text => text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`)

const FILES = {
  'deploy/helm/larder/Chart.yaml': chart,
  'deploy/helm/larder/values.yaml': helmValues,
  'deploy/helm/larder/values.schema.json': helmSchema,
  'deploy/systemd/larder.env': environmentFile('systemd'),
  '.env.example': environmentFile('checkout'),
  'starters/repository/.env.example': environmentFile('compose'),
}

for (const [path, write] of Object.entries(FILES)) {
  const before = read(path)
  let after
  try {
    after = write(before)
  } catch (error) {
    throw new Error(`${path}: ${error.message}`, { cause: error })
  }
  if (after === before) continue
  if (process.argv.includes('--check')) {
    process.stderr.write(`${path} is out of date. Run npm run docs.\n`)
    process.exitCode = 1
  } else writeFileSync(new URL(path, root), after)
}
