/**
 * Writes docs/reference/module-contract.md from kernel/contract and from the ports.ts of services and modules. `--check`
 * only compares.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const target = new URL('docs/reference/module-contract.md', root)
const read = path => readFileSync(new URL(path, root), 'utf8')

const contract = read('kernel/contract/module.ts')
const kernelPorts = ['kernel/base/clock.ts', 'kernel/base/secrets.ts', 'kernel/contract/ports.ts']
  .concat(readdirSync(new URL('kernel/contract/ports/', root)).map(file => `kernel/contract/ports/${file}`))
  .map(read)
  .join('\n')

/** The declarations of each service and module that adds to the contract. */
const extensions = ['services', 'modules'].flatMap(folder =>
  readdirSync(new URL(`${folder}/`, root))
    .map(name => ({ name, path: `${folder}/${name}/ports.ts` }))
    .filter(({ path }) => existsSync(new URL(path, root)))
    .map(({ name, path }) => ({ name, url: new URL(path, root), source: read(path) })),
)

/** The text between the braces of an interface. */
function bodyOf(source, name) {
  const [, indentation] = new RegExp(`^( *)(?:export )?interface ${name}\\b`, 'm').exec(source) ?? []
  if (indentation === undefined) return undefined
  const open = source.indexOf('{\n', source.search(new RegExp(`^ *(?:export )?interface ${name}\\b`, 'm')))
  const body = source.slice(open + 2, source.indexOf(`\n${indentation}}`, open))
  return body.replaceAll(new RegExp(`^${indentation}`, 'gm'), '')
}

/** The same for an interface that the file imports from its own folder. */
function importedBodyOf(url, source, name) {
  const imports = [...source.matchAll(/import type \{([^}]*)\} from '(\.[^']*)'/g)]
  const [, , path] = imports.find(([, names]) => names.split(/[\s,]+/).includes(name)) ?? []
  return path && bodyOf(readFileSync(new URL(path, url), 'utf8'), name)
}

/** Members with their documentation: two spaces of indentation start one. */
function membersOf(body) {
  const members = []
  let doc = ''
  for (const part of body.split(/\n(?= {2}\S)/)) {
    const text = part.trim()
    if (text.startsWith('/**')) doc += ` ${text}`
    else if (text.startsWith('*')) doc += ` ${text}`
    else if (text.startsWith('}') || text.startsWith(')') || text.startsWith('|')) members.at(-1).code += ` ${text}`
    else if (text) {
      members.push({ code: text, doc: clean(doc) })
      doc = ''
    }
  }
  return members.map(({ code, doc: text }) => ({
    code: code
      .replace(/(?<=[^{(,;|=>\s])\n\s*(?=(?:readonly )?\w+\??: )/g, '; ')
      .replace(/\s+/g, ' ')
      .replace(/\( /g, '(')
      .replace(/,? \)/g, ')'),
    doc: text,
  }))
}

const clean = doc =>
  doc
    .replace(/\/\*\*|\*\//g, '')
    .replace(/(^|\n|\s)\* /g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
const cell = text => text.replaceAll('|', '\\|')

const parsed = code => /^(?:readonly )?(\w+\??): (.*)$/.exec(code) ?? [undefined, code, '']

/** Every field of `defineModule`, by its purpose. The guide shows the twelve of the first group. */
const GROUPS = {
  'Needed first': [
    'name',
    'needs',
    'options',
    'permissions',
    'roles',
    'problems',
    'services',
    'routes',
    'events',
    'listeners',
    'jobs',
    'actions',
    'migrations',
  ],
  'About the module': ['summary', 'version', 'optional', 'provides', 'settings', 'packages'],
  'The recipe': [
    'sections',
    'sectionKeys',
    'sectionSchemas',
    'optionItems',
    'automationRows',
    'formTargets',
    'declare',
    'validate',
    'verify',
    'reconcile',
    'plan',
    'reminders',
    'comparisons',
    'liveFolders',
    'siteTemplates',
    'pageDataCheck',
    'outboundCheck',
    'declaredMailTemplates',
    'profileFields',
  ],
  'Rights and limits': [
    'limits',
    'usage',
    'personalUsage',
    'auditActions',
    'operatorActions',
    'userOfMember',
    'memberOfUser',
    'signInMethods',
  ],
  'Pages, mail and texts': [
    'pages',
    'templates',
    'emails',
    'locales',
    'site',
    'pageData',
    'renderMarkdown',
    'checklist',
  ],
  'Other entrances': ['rawRoutes', 'sockets', 'topics', 'express'],
  Collections: ['collections', 'rowHooks', 'importRuns'],
  'The console': [
    'resources',
    'resourceAdditions',
    'screens',
    'homeCards',
    'names',
    'activityPermissions',
    'words',
    'search',
    'statistics',
  ],
  'Documents and clients': ['openapi', 'client', 'types'],
  Backups: ['storedFiles', 'sealedColumns', 'giveUpOutgoing'],
  'Data of workspaces and people': ['stopTenant', 'deleteTenant', 'personalData', 'erasePersonalData', 'peopleCounts'],
  'Start and stop': ['init', 'start', 'serve', 'work', 'drain', 'stop'],
  Health: ['checks', 'diagnose', 'examine', 'findings', 'metrics'],
}

function fieldRow({ code, doc }, owner) {
  const [, name, type] = parsed(code)
  return { name: name.replace('?', ''), type: cell(type), owner, doc: cell(doc) }
}
const ownField = ({ code, doc }) =>
  fieldRow({ code: code.replace('Make<D, OptionsOf<O>, S, ', 'Make<'), doc }, 'kernel')

/** A field that `owner` adds. */
function addedField({ code, doc }, owner) {
  const [, name, type] = parsed(code)
  const [, constant] = /^\{ (?:readonly )?constant: (.*) \}$/.exec(type) ?? []
  return fieldRow({ code: `${name}: ${constant ?? `Make<${type}>`}`, doc }, owner)
}

/** The groups with the rows of their fields. Throws for a field without a group, and for a group's field that doesn't exist. */
function groupedFields(fields) {
  const missing = fields.filter(({ name }) => !Object.values(GROUPS).flat().includes(name))
  if (missing.length > 0) throw new Error(`GROUPS lacks ${missing.map(({ name }) => name).join(', ')}`)
  return Object.entries(GROUPS).map(([title, names]) => {
    const rows = names.map(name => {
      const field = fields.find(each => each.name === name)
      if (!field) throw new Error(`No field is called ${name}`)
      return `| \`${name}\` | \`${field.type}\` | \`${field.owner}\` | ${field.doc} |`
    })
    return `### ${title}\n\n| Field | Type | Read by | Description |\n|---|---|---|---|\n${rows.join('\n')}`
  })
}

function portSection({ code, doc }, find) {
  const [, name, type] = parsed(code)
  const body = find(type.replace(/<.*/, ''))
  const members = body ? membersOf(body) : []
  const rows = members.map(member => `| \`${cell(member.code.replace(/^readonly /, ''))}\` | ${cell(member.doc)} |`)
  const table = rows.length > 0 ? `\n\n| Member | Description |\n|---|---|\n${rows.join('\n')}` : ''
  return `### \`${name}\`\n\n${doc && `${doc}\n\n`}Type: \`${type}\`${table}`
}

const fields = [
  ...membersOf(bodyOf(contract, 'Spec')).map(ownField),
  ...extensions.flatMap(({ name, source }) =>
    membersOf(bodyOf(source, 'Registrations') ?? '').map(member => addedField(member, name)),
  ),
]
const addedPorts = extensions.flatMap(({ name, url, source }) => {
  const find = type => bodyOf(source, type) ?? importedBodyOf(url, source, type)
  const sections = membersOf(bodyOf(source, 'Ports') ?? '').map(member => portSection(member, find))
  return sections.length > 0 ? [`## Ports of \`${name}\`\n\n${sections.join('\n\n')}`] : []
})

/** What names of other packages are, which the kernel passes on. */
const FOREIGN = {
  Static: 'The TypeScript type of a TypeBox schema.',
  TSchema: 'Any TypeBox schema.',
}
const KINDS = { const: 'value', function: 'function', class: 'class', interface: 'type', type: 'type' }

/** A line for each name that the entry `…/kernel` exports, with the first sentence of its documentation. */
function nameRows() {
  const entry = read('kernel/index.ts')
  return [...entry.matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/(\w+)\/index\.ts'/gm)].map(([, list, name]) => {
    const sources = readdirSync(new URL(`kernel/${name}/`, root), { recursive: true })
      .filter(file => file.endsWith('.ts'))
      .map(file => read(`kernel/${name}/${file}`))
    const names = list
      .split(',')
      .map(part => part.replace('type ', '').trim())
      .filter(part => part !== '')
      .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    return { name, rows: names.map(each => nameRow(each, sources)) }
  })
}

function nameRow(name, sources) {
  if (name in FOREIGN) return `| \`${name}\` | type | ${FOREIGN[name]} |`
  const declaration = new RegExp(
    `\\/\\*\\*((?:(?!\\*\\/)[\\s\\S])*)\\*\\/\\nexport (?:async )?(const|function|class|interface|type) ${name}\\b`,
  )
  const [, doc, kind] = sources.map(source => declaration.exec(source)).find(found => found) ?? []
  if (doc === undefined) throw new Error(`${name} of kernel/index.ts has no documentation comment`)
  return `| \`${name}\` | ${KINDS[kind]} | ${cell(firstSentence(clean(doc)))} |`
}

const firstSentence = doc => /^(?:`[^`]*`|[^`@])*?[.](?= [A-Z`@]|$)/.exec(doc)?.[0] ?? doc

const PACKAGES = {
  base: 'Building blocks',
  contract: 'Declarations, builders and ports',
  records: 'Records',
}

const text = `# Module contract

<!-- Generated by \`npm run docs\` from kernel/contract and the ports.ts of services and modules. Do not edit. -->

## Fields of \`defineModule\` and \`defineService\`

\`Make<T>\` is a function \`(deps, options, recipe) => T\`. A field that a service or module reads is ignored in a product without it.

${groupedFields(fields).join('\n\n')}

## Names

Everything that \`@larder-dev/larder/kernel\` exports. \`@larder-dev/larder/kernel/internal\` has more names, for services; they may change in any release.

${nameRows()
  .map(({ name, rows }) => `### ${PACKAGES[name]}\n\n| Name | Kind | Description |\n|---|---|---|\n${rows.join('\n')}`)
  .join('\n\n')}

## Ports

Ports of the kernel. The following sections have those of services and modules.

${membersOf(bodyOf(kernelPorts, 'KernelPorts'))
  .map(member => portSection(member, type => bodyOf(kernelPorts, type)))
  .join('\n\n')}

${addedPorts.join('\n\n')}
`

if (process.argv.includes('--check')) {
  if (read('docs/reference/module-contract.md') !== text) {
    process.stderr.write('docs/reference/module-contract.md is out of date. Run npm run docs.\n')
    process.exitCode = 1
  }
} else {
  mkdirSync(new URL('.', target), { recursive: true })
  writeFileSync(target, text)
}
