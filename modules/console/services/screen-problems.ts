/** Mistakes in the screens that modules declare. Pure. */
import type { ConsoleScreen } from '../ports.ts'

interface Declared {
  readonly module: string
  readonly name: string
  readonly screen: ConsoleScreen
}

const NAME = /^[a-z][a-z0-9-]*$/
const PARAMETER = /^\$[a-zA-Z]\w*$/
const VIEWS = ['list', 'record', 'create', 'edit']
/** Below a module, and never backslashes, which browsers read as slashes. */
const PAGE = /^\/(?![/\\])[^\\?#\s]*$/
/** Addresses of the console that aren't screens of modules: a new record is at `new`. */
const RESERVED = 'new'

/** Identifies a screen in its module. */
export function nameOf(screen: ConsoleScreen): string {
  if ('page' in screen) return screen.page
  if ('tab' in screen) return `${screen.resource}.tab.${screen.tab}`
  return 'view' in screen ? `${screen.resource}.${screen.view}` : screen.name
}

/** The path of a screen with an address of its own, below that of its module. */
export const pathOf = (screen: ConsoleScreen): string | undefined =>
  'name' in screen ? (screen.path ?? screen.name) : undefined

/** @param resources ids of all resources of the product. */
export function problemsOf(screens: readonly Declared[], resources: ReadonlySet<string>): string[] {
  const taken = new Set<string>()
  /** Whether another screen is already at this place. */
  const isTaken = (place: string): boolean => {
    const isKnown = taken.has(place)
    taken.add(place)
    return isKnown
  }
  return screens.flatMap(({ module, name, screen }) => {
    const problem = problemOf(module, screen, resources, isTaken)
    return problem === undefined ? [] : [`the screen ${module}.${name}: ${problem}`]
  })
}

function problemOf(
  module: string,
  screen: ConsoleScreen,
  resources: ReadonlySet<string>,
  isTaken: (place: string) => boolean,
): string | undefined {
  if ('page' in screen) {
    if (!PAGE.test(screen.page)) return 'its page must be a path of the product, such as `/orders`'
    return isTaken(`${module} page ${screen.page}`) ? 'the module already links to this page' : undefined
  }
  if ('resource' in screen) {
    if (!resources.has(screen.resource)) return `no module of the product has the resource \`${screen.resource}\``
    if ('tab' in screen) {
      if (!NAME.test(screen.tab)) return 'its tab must be lowercase words joined by hyphens'
      return isTaken(`${module} tab ${screen.resource} ${screen.tab}`)
        ? 'another tab of the module already has this name'
        : undefined
    }
    if (!VIEWS.includes(screen.view)) return `its view must be one of ${VIEWS.join(', ')}`
    return isTaken(`view ${screen.resource} ${screen.view}`) ? 'another screen already replaces this one' : undefined
  }
  return problemOfPath(module, screen.name, screen.path ?? screen.name, resources, isTaken)
}

function problemOfPath(
  module: string,
  name: string,
  path: string,
  resources: ReadonlySet<string>,
  isTaken: (place: string) => boolean,
): string | undefined {
  if (!NAME.test(name) || name === RESERVED) return 'its name must be lowercase words joined by hyphens, and not `new`'
  const segments = path.split('/')
  const [first = ''] = segments
  const parameters = segments.filter(segment => PARAMETER.test(segment))
  if (!segments.every(segment => NAME.test(segment) || PARAMETER.test(segment)))
    return 'its path must consist of lowercase words joined by hyphens and of parameters, such as `stock/$id`'
  if (!NAME.test(first) || first === RESERVED) return 'its path must begin with a word, and not with `new`'
  if (new Set(parameters).size < parameters.length) return 'its path has two parameters of the same name'
  const isNamed = isTaken(`${module} name ${name}`)
  const isAt = isTaken(`${module} path ${path.replace(/\$\w+/g, '$')}`)
  return isNamed || isAt || resources.has(`${module}.${first}`)
    ? 'a screen or a resource of the module already has this name or path'
    : undefined
}
