/** Where the package stands, whether its files run from the sources or from where they were built. */
import { existsSync, readFileSync } from 'node:fs'

interface Manifest {
  readonly name?: string
  readonly version: string
}

function findPackage(): { root: URL; manifest: Manifest } {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    const file = new URL('package.json', folder)
    if (existsSync(file)) {
      const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
      if (manifest.name === 'larder') return { root: folder, manifest }
    }
    if (folder.pathname === '/') throw new Error(`no package.json of larder stands above ${import.meta.url}`)
  }
}

const found = findPackage()

/** Folder of package.json; ends with a slash. Shipped recipes and themes stand in it. */
export const packageRoot: URL = found.root
export const packageVersion: string = found.manifest.version
/** Folder that holds the running `kernel/` and `modules/`: the package's own, or where it was built; ends with a slash. */
export const codeRoot: URL = new URL('../../', import.meta.url)
