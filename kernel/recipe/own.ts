/** What belongs to Larder itself, as it runs: from the sources, or from where they were built. */
import { existsSync, readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { codeRoot } from '../root.ts'

type Exports = Readonly<Record<string, unknown>>

/** The modules by name, in the built package, where scripts/bundle.mjs has made few files of all; else undefined. */
declare const LARDER_MODULES: Readonly<Record<string, () => Promise<Exports>>> | undefined
/** Node's own `import()` there, which what is compiled at the build cannot call by itself. */
declare const LARDER_IMPORT: ((href: string) => Promise<Exports>) | undefined
const inside = typeof LARDER_MODULES === 'undefined' ? undefined : LARDER_MODULES

/** The exports of the file or package at `href`. */
export const importHref = (href: string): Promise<Exports> =>
  typeof LARDER_IMPORT === 'undefined' ? import(href) : LARDER_IMPORT(href)

const OWN = ['kernel/', 'modules/', 'larder/'].map(folder => new URL(folder, codeRoot).href)

/** True for files of Larder, which import the kernel by relative paths. */
export const isOwn = (url: string | URL): boolean => OWN.some(folder => String(url).startsWith(folder))

/** `.ts` where the sources run as they stand, else `.js`. */
export const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** The names of the modules that Larder brings. @param folder holds a folder per module. */
export function ownNames(folder: URL): readonly string[] {
  if (inside) return Object.keys(inside)
  return existsSync(folder) ? readdirSync(folder).filter(name => existsSync(moduleFile(name, folder))) : []
}

/** The exports of a module that Larder brings. */
export async function importOwn(name: string, folder: URL): Promise<Exports> {
  const module = inside?.[name] ?? (() => importHref(moduleFile(name, folder).href))
  return module()
}

const moduleFile = (name: string, folder: URL): URL => new URL(`${name}/module${extension}`, folder)

/** What `larder/kernel` and `larder/kernel/testing` are: files of the kernel that runs. */
export function ownExport(name: string): string | undefined {
  const file = { 'larder/kernel': 'contract', 'larder/kernel/testing': 'testing' }[name]
  return file && new URL(inside ? `larder/${file}.mjs` : `kernel/${file}${extension}`, codeRoot).href
}

export const fileHref = (path: string): string => pathToFileURL(path).href
