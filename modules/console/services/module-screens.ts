/** Screens that modules add to the console, and their scripts. */
import { type Caller, type Deps, once } from '@larder-dev/larder/kernel'
import { anyCovers, bundleScript } from '@larder-dev/larder/kernel/internal'
import type { ConsoleScreen } from '../ports.ts'
import type { ListedScreen } from '../records/screen.ts'
import type { Bundle } from './bundle.ts'
import { nameOf, pathOf, problemsOf } from './screen-problems.ts'

interface Registered {
  readonly module: string
  readonly name: string
  readonly screen: ConsoleScreen
  /** Built when it is first called. Absent for links. */
  readonly script: (() => Promise<string>) | undefined
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

/** Modules whose imports are the console's own: two copies of React can't render one tree. */
const SHARED = ['react', 'react/jsx-runtime', '@larder-dev/larder/console']

type Needs = Deps<'registry' | 'theme'> & { readonly bundle: Bundle }

export function createModuleScreens(deps: Needs): ModuleScreens {
  const { registry, theme, bundle } = deps
  const screens: readonly Registered[] = registry
    .collect<readonly ConsoleScreen[]>('screens')
    .flatMap(({ key: module, value }) =>
      value.map(screen => ({
        module,
        name: nameOf(screen),
        screen,
        script: 'file' in screen ? once(() => build(screen.file, bundle)) : undefined,
      })),
    )
  return {
    count: screens.length,
    check() {
      const problems = problemsOf(screens, resourceIds(registry))
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
    list: (caller, locale) =>
      screens
        .filter(({ screen }) => caller.can(screen.permission))
        .map(({ module, name, screen }) => ({
          module,
          name,
          title: 'title' in screen ? theme.text(locale, screen.title) : '',
          icon: 'icon' in screen ? (screen.icon ?? null) : null,
          group: 'group' in screen ? (screen.group ?? null) : null,
          path: pathOf(screen) ?? null,
          resource: 'resource' in screen ? screen.resource : null,
          view: 'view' in screen ? screen.view : null,
          tab: 'tab' in screen ? screen.tab : null,
          page: 'page' in screen ? screen.page : null,
        })),
    script(module, name, permissions) {
      const found = screens.find(each => each.module === module && each.name === name)
      if (!found?.script || !anyCovers(permissions, found.screen.permission)) return undefined
      return found.script()
    },
  }
}

const resourceIds = (registry: Deps<'registry'>['registry']): ReadonlySet<string> =>
  new Set(
    registry
      .collect<readonly { readonly name: string }[]>('resources')
      .flatMap(({ key, value }) => value.map(({ name }) => `${key}.${name}`)),
  )

/** A screen that can't be built is an error in the browser of the person who opens it, with file and line. */
async function build(file: URL, bundle: Bundle): Promise<string> {
  try {
    const shared = await bundle.sharedScript()
    return await bundleScript(file, Object.fromEntries(SHARED.map(name => [name, shared])))
  } catch (error) {
    return `throw new Error(${JSON.stringify((error as Error).message)})`
  }
}
