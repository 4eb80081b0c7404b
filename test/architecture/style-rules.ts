/** Rules about the style sheets of the console. Pure functions: path from the package's root → text. */
import { dirname, join } from 'node:path/posix'
import type { Sources } from './imports.ts'

/**
 * Style sheets whose classes are global: the shared vocabulary in `styles/`, and those of screens and parts that have no
 * style sheet of their component yet. Nothing is added.
 */
export const GLOBAL_STYLES: readonly string[] = [
  'parts/images.css',
  'parts/usage.css',
  'screens/automations/automations.css',
  'screens/comms/comms.css',
  'screens/content/content.css',
  'screens/features/features.css',
  'screens/forms/forms.css',
  'screens/identity/identity.css',
  'screens/media/media.css',
  'screens/messaging/messaging.css',
  'screens/platform/logs.css',
  'screens/platform/platform.css',
  'screens/platform/recipe.css',
  'screens/platform/settings.css',
  'screens/streams/streams.css',
  'screens/webhooks/webhooks.css',
  'styles/base.css',
  'styles/components.css',
  'styles/form.css',
  'styles/shell.css',
  'styles/start.css',
  'styles/table.css',
].map(path => `modules/console/app/${path}`)

const IMPORT = /^import styles from '([^']+\.module\.css)'$/m

/** Global style sheets that the list lacks. */
export const globalStyles = (sheets: Sources): string[] =>
  [...sheets.keys()].filter(path => !path.endsWith('.module.css') && !GLOBAL_STYLES.includes(path))

/** Classes that a component uses and its style sheet lacks, and those that no component uses. */
export function mismatchedStyles(sources: Sources, sheets: Sources): string[] {
  const used = new Map<string, Set<string>>()
  for (const [path, text] of sources) {
    const [, name] = IMPORT.exec(text) ?? []
    if (name === undefined) continue
    const sheet = join(dirname(path), name)
    const names = used.get(sheet) ?? new Set()
    for (const [, own, quoted] of text.matchAll(/\bstyles(?:\.(\w+)|\['([^']+)'\])/g)) names.add(own ?? quoted ?? '')
    used.set(sheet, names)
  }
  const modules = [...sheets].filter(([path]) => path.endsWith('.module.css'))
  return modules.flatMap(([path, text]) => {
    const defined = classesOf(text)
    const names = used.get(path) ?? new Set()
    return [
      ...[...names].filter(name => !defined.has(name)).map(name => `${path} lacks .${name}`),
      ...[...defined].filter(name => !names.has(name)).map(name => `${path} has .${name}, which nothing uses`),
    ]
  })
}

/** Classes that CodeMirror gives its elements. */
const OF_LIBRARIES = /^cm-/
/** Of JavaScript, and attributes of JSX. */
const LITERAL = /'[^'\n]*'|"[^"\n]*"|`[^`]*`/g

/**
 * Classes of global style sheets that no component has. Components also compute them, `notice ${tone}`, so a word of any
 * text in the sources is a use.
 */
export function unusedGlobals(sources: Sources, sheets: Sources): string[] {
  const words = new Set(
    [...sources]
      .filter(([path]) => path.startsWith('modules/console/app/'))
      .flatMap(([, text]) => text.match(LITERAL) ?? [])
      .flatMap(literal => literal.match(/[\w-]+/g) ?? []),
  )
  return [...sheets]
    .filter(([path]) => !path.endsWith('.module.css'))
    .flatMap(([path, text]) =>
      [...classesOf(text)]
        .filter(name => !words.has(name) && !OF_LIBRARIES.test(name))
        .map(name => `${path} has .${name}, which nothing uses`),
    )
}

/** Without those that are global. */
function classesOf(sheet: string): Set<string> {
  const selectors = sheet
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/:global\([^)]*\)/g, '')
    .match(/[^{};]+(?=\{)/g)
  return new Set(
    (selectors ?? [])
      .filter(selector => !selector.trim().startsWith('@'))
      .flatMap(selector => [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name)),
  )
}
