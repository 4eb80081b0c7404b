/** Locates the package, whether it runs from its sources or from the build. */
import { existsSync, readFileSync } from 'node:fs'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly peerDependencies: Readonly<Record<string, string>>
  /** `./kernel` → its files. */
  readonly exports: Readonly<Record<string, { readonly default: string } | undefined>>
}

function findPackage(): { root: URL; manifest: Manifest } {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    const file = new URL('package.json', folder)
    if (existsSync(file)) return { root: folder, manifest: JSON.parse(readFileSync(file, 'utf8')) as Manifest }
    if (folder.pathname === '/') throw new Error(`No package.json above ${import.meta.url}`)
  }
}

const found = findPackage()

/** Folder of package.json, which contains the shipped recipes and themes; ends with a slash. */
export const packageRoot: URL = found.root
/** The name under which npm installs Larder, and with which imports of its entry points begin. */
export const packageName: string = found.manifest.name
export const packageVersion: string = found.manifest.version
/** Version ranges by name. */
export const packagePeers: Manifest['peerDependencies'] = found.manifest.peerDependencies
export const packageExports: Manifest['exports'] = found.manifest.exports
/** Folder of the running `kernel/` and `modules/`: the package, or its build; ends with a slash. */
export const codeRoot: URL = new URL('../../', import.meta.url)
