/** Screens that modules add to the console, and their scripts. */
import { type Caller, type Deps, once } from '@larder-dev/larder/kernel'
import { anyCovers, bundleScript } from '@larder-dev/larder/kernel/internal'
import type { ConsoleScreen } from '../ports.ts'
import type { ListedScreen } from '../records/screen.ts'
import type { Bundle } from './bundle.ts'

interface Registered extends ConsoleScreen {
  readonly module: string
  /** Built when it is first called. */
  script(): Promise<string>
}
export interface ModuleScreens {
  /** Throws an Error that lists every mistake. */
  check(): void
  readonly count: number
  /** Screens that the caller may open. */
  list(caller: Caller, locale: string): ListedScreen[]
  /** @param permissions of the reader. Undefined for an unknown screen and without its permission. */
  script(module: string, name: string, permissions: readonly string[]): Promise<string> | undefined
}

const NAME = /^[a-z][a-z0-9-]*$/
/** Addresses of the console that aren't screens of modules: a new record is at `new`. */
const RESERVED = new Set(['new'])
/** Modules whose imports are the console's own: two copies of React can't render one tree. */
const SHARED = ['react', 'react/jsx-runtime', '@larder-dev/larder/console']

type Needs = Deps<'registry' | 'theme'> & { readonly bundle: Bundle }

export function createModuleScreens(deps: Needs): ModuleScreens {
  const { registry, theme, bundle } = deps
  const screens: readonly Registered[] = registry
    .collect<readonly ConsoleScreen[]>('screens')
    .flatMap(({ key: module, value }) =>
      value.map(screen => ({ ...screen, module, script: once(() => build(screen.file, bundle)) })),
    )
  return {
    count: screens.length,
    check() {
      const problems = problemsOf(screens, resourceIds(registry))
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
    list: (caller, locale) =>
      screens
        .filter(({ permission }) => caller.can(permission))
        .map(({ module, name, title, icon }) => ({
          module,
          name,
          title: theme.text(locale, title),
          icon: icon ?? null,
        })),
    script(module, name, permissions) {
      const screen = screens.find(each => each.module === module && each.name === name)
      if (!screen || !anyCovers(permissions, screen.permission)) return undefined
      return screen.script()
    },
  }
}

const resourceIds = (registry: Deps<'registry'>['registry']): ReadonlySet<string> =>
  new Set(
    registry
      .collect<readonly { readonly name: string }[]>('resources')
      .flatMap(({ key, value }) => value.map(({ name }) => `${key}.${name}`)),
  )

function problemsOf(screens: readonly Registered[], resources: ReadonlySet<string>): string[] {
  const seen = new Set<string>()
  return screens.flatMap(({ module, name }) => {
    const id = `${module}.${name}`
    const isTaken = seen.has(id) || resources.has(id)
    seen.add(id)
    if (!NAME.test(name) || RESERVED.has(name))
      return [`the screen ${id}: its name must be lowercase words joined by hyphens, and not \`new\``]
    return isTaken ? [`the screen ${id}: a screen or a resource of the module already has this name`] : []
  })
}

/** A screen that can't be built is an error in the browser of the person who opens it, with file and line. */
async function build(file: URL, bundle: Bundle): Promise<string> {
  try {
    const shared = await bundle.sharedScript()
    return await bundleScript(file, Object.fromEntries(SHARED.map(name => [name, shared])))
  } catch (error) {
    return `throw new Error(${JSON.stringify((error as Error).message)})`
  }
}
