/** Loads the modules that ship with Larder, from the sources or from `dist/`. */
import { existsSync, readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { codeRoot, packageExports, packageName } from '../base/index.ts'

type Exports = Readonly<Record<string, unknown>>

const SHIPPED_FOLDERS = ['kernel/', 'services/', 'modules/', 'testing/'].map(folder => new URL(folder, codeRoot).href)

/** Returns true for files that belong to Larder itself. */
export const isShipped = (url: string | URL): boolean => SHIPPED_FOLDERS.some(folder => String(url).startsWith(folder))

/** `.ts` where Node runs the sources, `.js` otherwise. */
export const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

/** Returns the names of the shipped modules. @param folder contains one folder per module. */
export const shippedNames = (folder: URL): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter(name => existsSync(moduleFile(name, folder))) : []

export const importShipped = (name: string, folder: URL): Promise<Exports> => import(moduleFile(name, folder).href)

const moduleFile = (name: string, folder: URL): URL => new URL(`${name}/module${extension}`, folder)

/** Resolves an entry point of package.json, such as `kernel` below the package's name, to the copy that is running. */
export function resolveEntryPoint(name: string): string | undefined {
  const file = name.startsWith(`${packageName}/`) ? packageExports[name.replace(packageName, '.')]?.default : undefined
  return file && new URL(file.replace(/^\.\/dist\/|\.js$/g, '') + extension, codeRoot).href
}

export const fileHref = (path: string): string => pathToFileURL(path).href
