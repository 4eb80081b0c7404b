/** The files and folders that a module consists of. */
import { FEATURES, type Sources, withoutComments } from './imports.ts'

const ANATOMY = [
  'module.ts',
  'ports.ts',
  'events.ts',
  'records.ts',
  'services.ts',
  'records',
  'problems.ts',
  'options.ts',
  'models.ts',
  'actions.ts',
  'jobs.ts',
  'actions.ts',
  'listeners.ts',
  'client.ts',
  // The browser application of the module console.
  'app',
  'resources.ts',
  'domain',
  'services',
  'routes',
  'pages',
  'realtime',
  'recipe',
  'migrations',
  'emails',
  'templates',
  'locales',
]

/** @param paths of all files of all modules, from the package's root. Returns `modules/<name>/<entry>`. */
export function outsideAnatomy(paths: readonly string[]): string[] {
  const entries = new Set(paths.map(path => path.split('/').slice(0, 3).join('/')))
  const isKnown = (entry: string) => {
    const [, name = '', part = ''] = entry.split('/')
    return ANATOMY.includes(part) || FEATURES[name]?.includes(part)
  }
  return [...entries].filter(entry => !isKnown(entry)).sort()
}

/** Migrations whose number is not one more than that of the migration before them in their folder. */
export function misnumberedMigrations(paths: readonly string[]): string[] {
  const migrations = paths.filter(path => /\/migrations\/\d{4}-[^/]+\.ts$/.test(path)).sort()
  const last = new Map<string, number>()
  return migrations.filter(path => {
    const [folder = '', file = ''] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
    const expected = (last.get(folder) ?? 0) + 1
    last.set(folder, expected)
    return Number(file.slice(0, 4)) !== expected
  })
}

/** `ports.ts` files that contain values, or types derived from an implementation. */
export function concretePorts(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (!/^(modules|services)\/\w+\/ports\.ts$/.test(path)) return []
    const code = withoutComments(text)
    const value = /^export (const|let|function|async|class|enum|default)\b/m.test(code)
    return [
      ...(value ? [`${path} exports a value`] : []),
      ...(/\bReturnType</.test(code) ? [`${path} derives a type with ReturnType`] : []),
    ]
  })
}

/** Ports that a `ports.ts` marks as internal. */
export function internalPorts(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    path.endsWith('/ports.ts') && /\/\*\*[^/]*\binternal to\b/i.test(text) ? [path] : [],
  )
}

/** Interfaces that pass many services around as one. */
export function serviceBags(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    path.startsWith('modules/')
      ? [...withoutComments(text).matchAll(/\binterface (Collaborators|\w*Services)\b/g)].map(
          ([, name]) => `${path} declares ${name}`,
        )
      : [],
  )
}

interface PortUser {
  readonly name: string
  readonly needs?: readonly string[]
  readonly optional?: readonly string[]
  readonly provides?: object
}

/** Ports of modules that no other definition uses and that the documentation doesn't name in its tables of ports. */
export function unusedPorts(
  definitions: readonly PortUser[],
  modules: readonly string[],
  documentation: string,
): string[] {
  const documented = [...documentation.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  return definitions
    .filter(({ name }) => modules.includes(name))
    .flatMap(({ name, provides = {} }) =>
      Object.keys(provides)
        .filter(port => !documented.includes(port))
        .filter(
          port =>
            !definitions.some(
              ({ name: other, needs = [], optional = [] }) => other !== name && [...needs, ...optional].includes(port),
            ),
        )
        .map(port => `${name} provides ${port}`),
    )
}
