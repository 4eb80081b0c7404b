/** What belongs to Larder itself, as it runs: from the sources, or from where they were built. */
import { pathToFileURL } from 'node:url'
import { codeRoot } from '../root.ts'

/** Defined in the built package, where scripts/bundle.mjs has made a few files of all. */
declare const LARDER_BUNDLED: true | undefined
const bundled = typeof LARDER_BUNDLED !== 'undefined'

const OWN = ['kernel/', 'modules/', 'larder/'].map(folder => new URL(folder, codeRoot).href)

/** True for files of Larder, which import the kernel by relative paths. */
export const isOwn = (url: string | URL): boolean => OWN.some(folder => String(url).startsWith(folder))

/** `.ts` where the sources run as they stand, else `.js`. */
export const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** The file of a module that Larder brings. @param folder holds a folder per module. */
export const moduleFile = (name: string, folder: URL): URL =>
  bundled ? new URL(`larder/module-${name}.js`, codeRoot) : new URL(`${name}/module${extension}`, folder)

/** What `larder/kernel` and `larder/kernel/testing` are: files of the kernel that runs. */
export function ownExport(name: string): string | undefined {
  const file = { 'larder/kernel': 'contract', 'larder/kernel/testing': 'testing' }[name]
  return file && new URL(bundled ? `larder/${file}.js` : `kernel/${file}${extension}`, codeRoot).href
}

export const fileHref = (path: string): string => pathToFileURL(path).href
