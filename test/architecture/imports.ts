/** Which file may import which. Pure functions of source texts: path from the package's root → text. */
import { dirname, join } from 'node:path/posix'
import { packageName } from '../../kernel/base/package-root.ts'

export type Sources = ReadonlyMap<string, string>

export interface Import {
  readonly from: string
  /** A path from the package's root, or the name of a package. */
  readonly to: string
}

const STATEMENT = /^[ \t]*(?:import|export)\b(?:[^'";]*?\bfrom)?[ \t\n]*['"]([^'"]+)['"]/gm
/** `import('./a.ts')`, as an expression or in a type. */
const CALL = /\bimport\([ \t\n]*['"]([^'"]+)['"]/g

export const withoutComments = (text: string): string =>
  text.replace(/(^|\s)\/\*[\s\S]*?\*\//g, '$1').replace(/(^|\s)\/\/.*$/gm, '$1')

/** Type imports included. */
export function importsOf(path: string, text: string): Import[] {
  const code = withoutComments(text)
  return [...code.matchAll(STATEMENT), ...code.matchAll(CALL)].map(([, name = '']) => ({
    from: path,
    to: name.startsWith('.') ? join(dirname(path), name) : name,
  }))
}

const allImports = (sources: Sources): Import[] => [...sources].flatMap(([path, text]) => importsOf(path, text))

/** The kernel packages that a kernel package may import. Recipes are read and run without records. */
const KERNEL_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contract: ['base'],
  records: ['base', 'contract'],
  recipe: ['base', 'contract'],
  runtime: ['base', 'contract', 'recipe'],
}
const KERNEL_FORBIDDEN = [
  'express',
  'pg',
  'sequelize',
  'ws',
  'undici',
  'node:dns',
  'node:dns/promises',
  'node:tls',
  'node:http2',
]
const LOCAL = /^(kernel|services|modules|bin|testing|test|bench|scripts)\//

/** Files of the kernel that need neither Node nor other files: the browser code of the console imports them. */
export const BROWSER_FILES = [
  'kernel/base/compare.ts',
  'kernel/base/folding.ts',
  'kernel/base/locale.ts',
  'kernel/base/decimal.ts',
  'kernel/base/money.ts',
  'kernel/base/units.ts',
]

/** The runtime of generated clients: `bin` reads its sources, and the console and scripts of themes import it in browsers. */
export const CLIENT_RUNTIME = 'bin/client/runtime/'

const CONSOLE_ENTRY = `${packageName}/console`

/** `from imports to`, for each import that the layout forbids. @param exceptions in the same form. */
export function forbiddenImports(sources: Sources, exceptions: readonly string[] = []): string[] {
  return allImports(sources)
    .filter(({ from, to }) => !isAllowed(from, to))
    .map(({ from, to }) => `${from} imports ${to}`)
    .filter(sentence => !exceptions.includes(sentence))
}

function isAllowed(from: string, to: string): boolean {
  const [top, own] = from.split('/')
  const isForBrowsers = BROWSER_FILES.includes(to) || to.startsWith(CLIENT_RUNTIME)
  if (from.startsWith('modules/console/app/') && (isForBrowsers || to === CONSOLE_ENTRY)) return true
  if (top === 'kernel') return kernelMayImport(from, to)
  if (top === 'services' || top === 'modules')
    return LOCAL.test(to)
      ? to.startsWith(`${top}/${own}/`)
      : !to.startsWith(`${packageName}/`) || KERNEL_ENTRIES.includes(to)
  if (top === 'bin' || top === 'testing') return entryPointMayImport(from, to)
  return true
}

/** The layers of a module, the lowest first. Other files, such as `problems.ts` and `options.ts`, are in the lowest one. */
const MODULE_LAYERS: readonly (readonly string[])[] = [
  ['records', 'domain'],
  ['services'],
  ['services.ts', 'recipe', 'realtime', 'jobs.ts', 'listeners.ts', 'resources.ts'],
  ['routes'],
  ['pages', 'actions.ts'],
  ['module.ts'],
]
/**
 * Modules that are laid out by feature. Each feature has the files and folders of a module that belong to it. The lowest
 * stands first: a feature imports those before it.
 */
export const FEATURES: Readonly<Record<string, readonly string[]>> = {
  identity: ['audit', 'users', 'workspaces', 'sign-in', 'accounts', 'operators'],
}
/** In a feature, files and folders of these names are in their layer, and all others are services. */
const FEATURE_PARTS = ['records', 'domain', 'problems', 'routes', 'pages']

/** The part of a module that a file belongs to, such as `routes` or `services.ts`. */
export function modulePartOf(path: string): string {
  const [, name = '', part = '', ...rest] = path.split('/')
  if (!FEATURES[name]?.includes(part)) return part
  return (
    rest.map(segment => segment.replace(/\.ts$/, '')).find(segment => FEATURE_PARTS.includes(segment)) ?? 'services'
  )
}

/** `from imports to`, for imports of a feature that stands above that of the file. */
export const upwardFeatures = (sources: Sources): string[] =>
  allImports(sources)
    .filter(({ from, to }) => {
      const [own, other] = [featureOf(from), featureOf(to)]
      return own !== undefined && other !== undefined && own.module === other.module && other.rank > own.rank
    })
    .map(({ from, to }) => `${from} imports ${to}`)

/** Files of the module itself, such as its `services.ts`, put the features together, and stand above them. */
function featureOf(path: string): { readonly module: string; readonly rank: number } | undefined {
  const [top, module = '', part = ''] = path.split('/')
  const features = FEATURES[module]
  if (top !== 'modules' || !features) return undefined
  const rank = part === 'services.ts' ? features.length : features.indexOf(part)
  return rank < 0 ? undefined : { module, rank }
}

/** The shape of what the recipe declares, which every layer may read. */
const isShape = (path: string): boolean => path.endsWith('/recipe/sections.ts')

/** `from imports to`, for imports that point to a higher layer of their module. @param exceptions in the same form. */
export const upwardInModules = (sources: Sources, exceptions: readonly string[] = []): string[] =>
  allImports(sources)
    .filter(({ from, to }) => {
      const [own, other] = [moduleOf(from), moduleOf(to)]
      return own !== undefined && own === other && !isShape(to) && moduleLayerOf(to) > moduleLayerOf(from)
    })
    .map(({ from, to }) => `${from} imports ${to}`)
    .filter(sentence => !exceptions.includes(sentence))

const moduleOf = (path: string): string | undefined => /^modules\/(\w+)\//.exec(path)?.[1]
const moduleLayerOf = (path: string): number =>
  Math.max(
    0,
    MODULE_LAYERS.findIndex(layer => layer.includes(modulePartOf(path))),
  )

/**
 * The layers of the console, the lowest first: a file imports its own layer and lower ones. The screens of an area are a
 * layer of their own, and do not import those of another area.
 */
export const CONSOLE_LAYERS = [
  'browser',
  'locales',
  'data',
  'pure.ts',
  'components',
  'resource',
  'parts',
  'public.ts',
  'screens/<area>',
  'screens',
  'shell',
  'early.ts',
  'router.tsx',
  'main.tsx',
] as const
const CONSOLE = 'modules/console/app/'

/** `from imports to`, for imports of a higher layer of the console, types included, or of another area. */
export const upwardImports = (sources: Sources): string[] =>
  allImports(sources)
    .filter(({ from, to }) => from.startsWith(CONSOLE) && to.startsWith(CONSOLE) && !to.endsWith('.css'))
    .filter(({ from, to }) => layerOf(to) > layerOf(from) || isOtherArea(from, to))
    .map(({ from, to }) => `${from.slice(CONSOLE.length)} imports ${to.slice(CONSOLE.length)}`)

/** `shared.ts` is what screens of modules see of `public.ts`. A file outside the layers may import nothing of them. */
function layerOf(path: string): number {
  const [top = '', area, file] = path
    .slice(CONSOLE.length)
    .replace(/^shared\.ts$/, 'public.ts')
    .split('/')
  return (CONSOLE_LAYERS as readonly string[]).indexOf(top === 'screens' && file && area ? 'screens/<area>' : top)
}

function isOtherArea(from: string, to: string): boolean {
  const areaOf = (path: string) => /^modules\/console\/app\/screens\/(\w+)\//.exec(path)?.[1]
  const [own, other] = [areaOf(from), areaOf(to)]
  return own !== undefined && other !== undefined && own !== other
}

/** Packages that a team can install, too: they share no state with the console. */
const SCREEN_PACKAGES = ['react', 'any-ascii']
/** One file by two names. In Node, where tests run the calculations of a screen, only the name of the package works. */
const PUBLIC = [`${CONSOLE}public.ts`, CONSOLE_ENTRY]
/** `from imports to`, for imports of shipped screens that the screen of a team's module couldn't have. */
export const beyondPublic = (sources: Sources): string[] =>
  allImports(sources)
    .filter(({ from, to }) => {
      const [own] = /^modules\/console\/app\/screens\/\w+\//.exec(from) ?? []
      return own !== undefined && ![...SCREEN_PACKAGES, ...PUBLIC].includes(to) && !to.startsWith(own)
    })
    .map(({ from, to }) => `${from} imports ${to}`)

function kernelMayImport(from: string, to: string): boolean {
  if (!LOCAL.test(to)) return !KERNEL_FORBIDDEN.includes(to) && !to.startsWith(packageName)
  if (!to.startsWith('kernel/')) return false
  const [own, other] = [packageOf(from), packageOf(to)]
  if (own === other) return true
  if (!/^kernel\/\w+\/index\.ts$/.test(to)) return false
  const name = (path: string) => path.slice('kernel/'.length)
  return (
    ['kernel/index.ts', 'kernel/internal.ts'].includes(from) || (KERNEL_PACKAGES[name(own)] ?? []).includes(name(other))
  )
}

function entryPointMayImport(from: string, to: string): boolean {
  const [top] = from.split('/')
  // Loads the port types of everything that ships, for teams that import `@larder-dev/larder/kernel`.
  if (from === 'bin/ports.ts' && /^(services|modules)\/\w+\/ports\.ts$/.test(to)) return true
  if (to.startsWith('kernel/')) return /^kernel\/((\w+\/)?index|internal)\.ts$/.test(to)
  if (to.startsWith('services/')) return /^services\/\w+\/service\.ts$/.test(to) && from === 'bin/composition.ts'
  if (to.startsWith('modules/') || to.startsWith('test/')) return false
  return !to.startsWith('testing/') || top === 'testing'
}

/** `kernel/base`, `services/http`, `modules/forms`, `bin`, `bin/client/runtime`. */
function packageOf(path: string): string {
  if (path.startsWith(CLIENT_RUNTIME)) return CLIENT_RUNTIME.slice(0, -1)
  const [top = '', own = '', ...rest] = path.split('/')
  return ['kernel', 'services', 'modules'].includes(top) && rest.length > 0 ? `${top}/${own}` : top
}

/** internal-names.ts lists what modules import from the second one. */
const KERNEL_ENTRIES = [`${packageName}/kernel`, `${packageName}/kernel/internal`]

/** Names of entry points resolve to the files behind them. */
const ENTRY_POINTS: Readonly<Record<string, string>> = {
  '@larder-dev/larder/kernel': 'kernel/index.ts',
  '@larder-dev/larder/kernel/internal': 'kernel/internal.ts',
  '@larder-dev/larder/kernel/testing': 'testing/index.ts',
}

/** Groups of files that import each other, types included: the files of each group, sorted. */
export const fileCycles = (sources: Sources): string[][] => cycles(sources, path => path)

/** Groups of folders in the `domain` of a module whose files import each other. */
export const domainCycles = (sources: Sources): string[][] =>
  cycles(new Map([...sources].filter(([path]) => /^modules\/\w+\/domain\/\w+\//.test(path))), dirname)

/** Groups of parts of a module that import each other: without one, the parts have an order. @param exceptions such groups */
export const partCycles = (sources: Sources, exceptions: readonly string[] = []): string[] =>
  cycles(new Map([...sources].filter(([path]) => path.startsWith('modules/'))), partPathOf, isShape)
    .map(group => group.join(', '))
    .filter(group => !exceptions.includes(group))

/** `modules/forms/services` of `services/a.ts` and of `services.ts`. */
const partPathOf = (path: string): string => path.split('/').slice(0, 3).join('/').replace(/\.ts$/, '')

/** Groups of packages that import each other. */
export const packageCycles = (sources: Sources): string[][] => cycles(sources, packageOf)

function cycles(
  sources: Sources,
  nodeOf: (path: string) => string,
  isIgnored: (path: string) => boolean = () => false,
): string[][] {
  const edges = new Map<string, Set<string>>([...sources.keys()].map(path => [nodeOf(path), new Set()]))
  for (const { from, to } of allImports(sources)) {
    const target = ENTRY_POINTS[to] ?? to
    if (sources.has(target) && !isIgnored(target) && nodeOf(from) !== nodeOf(target))
      edges.get(nodeOf(from))?.add(nodeOf(target))
  }
  return components(edges).filter(component => component.length > 1)
}

/** Tarjan's algorithm. */
function components(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node) as number)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) as number, low.get(next) as number))
    }
    if (low.get(node) === index.get(node)) found.push(stack.splice(stack.indexOf(node)).sort())
  }
  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return found
}
